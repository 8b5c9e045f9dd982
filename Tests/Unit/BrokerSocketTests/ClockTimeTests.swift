import Testing

@testable import BrokerSocket

/// Times as text for programs.
struct ClockTimeTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0), ("2026-01-01T00:00:00.250Z", 1_767_225_600_250),
            ("2028-02-29T23:59:59.999Z", 1_835_481_599_999), ("1969-12-31T23:59:59.999Z", -1),
        ] as [(String, Int64)])
    func `a time is written and read as in RFC 3339`(text: String, unixMS: Int64) {
        #expect(ClockTime.rfc3339(unixMS: unixMS) == text)
        #expect(ClockTime.unixMS(rfc3339: text) == unixMS)
    }

    @Test(arguments: [
        "2026-01-01T01:00:00+01:00", "2025-12-31T18:30:00.0-05:30", "2026-01-01t00:00:00z",
        "2026-01-01 00:00:00.0001Z",
    ])
    func `an offset and a fraction may have other forms`(text: String) {
        #expect(ClockTime.unixMS(rfc3339: text) == 1_767_225_600_000)
    }

    @Test(arguments: [
        "", "2026-01-01", "2026-01-01T00:00:00", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-1-1T00:00:00Z",
        "x026-01-01T00:00:00Z",
        "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+1:00", "2026-01-01T00:00:00+25:00",
        "2026-01-01T00:00:00Zulu", "٢٠٢٦-01-01T00:00:00Z", "-026-01-01T00:00:00Z",
    ])
    func `any other text is no time`(text: String) {
        #expect(ClockTime.unixMS(rfc3339: text) == nil)
    }
}
