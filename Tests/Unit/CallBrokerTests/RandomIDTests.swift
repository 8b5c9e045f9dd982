import CallTesting
import Testing

// Ids are made inside.
@testable import CallBroker

struct RandomIDTests {
    @Test func `a UUID has the form of version 4`() {
        let form = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        for _ in 0..<1_000 { #expect(RandomID.uuid().wholeMatch(of: form) != nil) }
    }

    @Test func `a secret is 32 hex digits`() {
        for _ in 0..<1_000 { #expect(RandomID.secret().wholeMatch(of: /[0-9a-f]{32}/) != nil) }
    }

    @Test func `none comes twice`() {
        #expect(Set((0..<10_000).map { _ in RandomID.uuid() }).count == 10_000)
        #expect(Set((0..<10_000).map { _ in RandomID.secret() }).count == 10_000)
    }

    @Test func `every digit of a secret takes every value`() {
        var seen = Array(repeating: Set<Character>(), count: 32)
        for _ in 0..<2_000 {
            for (index, digit) in RandomID.secret().enumerated() { seen[index].insert(digit) }
        }
        #expect(seen.allSatisfy { $0.count == 16 })
    }
}
