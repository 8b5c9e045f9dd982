import CallModel
import TestSupport
import Testing

@testable import CallArbitration

struct IDTableTests {
    private func id(_ number: UInt64) -> CallID {
        CallID(UUIDBits(high: number << 48, low: number % 3))
    }

    @Test func `whatever is set and taken out, it says what a dictionary says`() {
        var random = SeededRandom(seed: 1)
        var table = IDTable<CallID, Int>()
        var dictionary: [CallID: Int] = [:]
        for value in 0..<20_000 {
            let id = id(.random(in: 0..<200, using: &random))
            let isSet = Bool.random(using: &random)
            table[id] = isSet ? value : nil
            dictionary[id] = isSet ? value : nil
            #expect(table[id] == dictionary[id] && table.count == dictionary.count)
        }
        for number: UInt64 in 0..<200 { #expect(table[id(number)] == dictionary[id(number)]) }
    }

    @Test func `tables are equal if they say the same, whatever they have been through`() {
        var one = IDTable<CallID, Int>()
        var two = IDTable<CallID, Int>()
        for number in 0..<100 { one[id(UInt64(number))] = number }
        for number in (0..<1_000).reversed() { two[id(UInt64(number))] = number }
        #expect(one != two)
        for number in 100..<1_000 { two[id(UInt64(number))] = nil }
        #expect(one == two)
        two[id(7)] = 8
        #expect(one != two)
    }

    @Test func `an empty table knows nobody`() {
        var table = IDTable<CallID, Int>()
        table[id(1)] = nil
        #expect(table[id(1)] == nil && table.count == 0)
    }
}
