import Testing

@testable import Fuzzer

/// Whether the fuzzer's checks can fail at all.
struct FuzzerTests {
    private static let card =
        "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:1\r\nFN:Ada\r\nX-FAVORITE:true\r\nEND:VCARD\r\n"

    @Test func `a writer that loses something is found`() {
        #expect(throws: Finding.self) { try FuzzTarget.canary.run(Array(Self.card.utf8)) }
    }

    @Test func `the same input finds nothing in the real writer`() throws {
        try FuzzTarget.vcard.run(Array(Self.card.utf8))
    }

    /// Calls come in and are asked for, with every particular.
    private static let session = (0..<160).map { UInt8(truncatingIfNeeded: $0 &* 37) }

    @Test func `a session without a defect comes to its end`() throws {
        try SessionPlay(Choices(Self.session)).run()
    }

    @Test(arguments: [20, 40, 60, 80]) func `a line that gets lost is noticed`(_ number: Int) {
        #expect(throws: Finding.self) {
            try SessionPlay(Choices(Self.session), losing: { $0 == number }).run()
        }
    }

    @Test func `every target runs on nothing at all`() throws {
        for target in FuzzTarget.allCases { try target.run([]) }
    }
}
