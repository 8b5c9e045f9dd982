import Testing

@testable import CallArbitration

struct SlotsTests {
    @Test func `a removed record's number is used again`() {
        var slots = Slots<Int>()
        let first = slots.insert(1)
        let second = slots.insert(2)
        slots.remove(first)
        let third = slots.insert(3)
        #expect(third == first && slots[third] == 3 && slots[second] == 2 && slots.count == 2)
    }

    @Test func `a chain keeps the order and loses any of its records`() {
        var slots = Slots<Int>()
        var links = ChainLinks<Int>()
        var chain = Chain<Int>()
        let all = (0..<5).map { slots.insert($0) }
        for slot in all { links.append(slot, to: &chain) }
        links.remove(all[2], from: &chain)
        links.remove(all[0], from: &chain)
        links.remove(all[4], from: &chain)
        #expect(Array(links.elements(of: chain)) == [all[1], all[3]])
        #expect(chain.first == all[1] && chain.last == all[3] && chain.count == 2)
        links.append(all[0], to: &chain)
        #expect(Array(links.elements(of: chain)) == [all[1], all[3], all[0]])
        #expect(links.previous(before: all[0]) == all[3] && links.next(after: all[0]) == nil)
    }
}
