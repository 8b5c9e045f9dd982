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

    @Test func `a record is inserted before any other of a chain, or at its end`() {
        var slots = Slots<Int>()
        var links = ChainLinks<Int>()
        var chain = Chain<Int>()
        let all = (0..<5).map { slots.insert($0) }
        links.insert(all[2], before: nil, in: &chain)
        links.insert(all[4], before: nil, in: &chain)
        links.insert(all[0], before: all[2], in: &chain)
        links.insert(all[3], before: all[4], in: &chain)
        #expect(Array(links.elements(of: chain)) == [all[0], all[2], all[3], all[4]])
        #expect(chain.first == all[0] && chain.last == all[4] && chain.count == 4)
        #expect(
            links.previous(before: all[4]) == all[3] && links.previous(before: all[2]) == all[0])
    }

    @Test func `links are equal whatever the last places were used for`() {
        var slots = Slots<Int>()
        var (links, others) = (ChainLinks<Int>(), ChainLinks<Int>())
        var (chain, otherChain) = (Chain<Int>(), Chain<Int>())
        let all = (0..<3).map { slots.insert($0) }
        for slot in all { links.append(slot, to: &chain) }
        links.remove(all[2], from: &chain)
        for slot in all[..<2] { others.append(slot, to: &otherChain) }
        #expect(links == others && chain == otherChain)
        others.append(all[2], to: &otherChain)
        #expect(links != others)
    }
}
