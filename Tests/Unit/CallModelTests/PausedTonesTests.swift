import Testing

@testable import CallModel

/// Strings of tones, and where they are cut.
struct PausedTonesTests {
    @Test(
        arguments: [
            ("12#", "12#", nil, nil, 0), ("1,2", "1", "2", .time, 2_000),
            ("1pp2", "1", "2", .time, 4_000),
            ("1;2", "1", "2", .user, 2_000), ("1,w2,3", "1", "2,3", .user, 4_000),
            ("1,", "1", nil, nil, 0), (",2", "", "2", .time, 2_000),
        ] as [(String, String, String?, PausedTones.End?, Int)])
    func `a string is cut at its first pause`(
        digits: String, first: String, rest: String?, end: PausedTones.End?, pauseMS: Int
    ) {
        let tones = ToneString(digits)
        #expect(tones.first == first)
        #expect(tones.rest?.digits == rest)
        #expect(tones.rest?.end == end)
        #expect(tones.rest?.pauseMS ?? 0 == pauseMS)
    }

    @Test(
        arguments: [
            ("+4930,,12", "+4930", "12"), ("*21#;9", "*21#", "9"), ("112p1", "112", "1"),
            ("15,", "15", nil),
        ] as [(String, String, String?)])
    func `tones after a number are not part of it`(number: String, first: String, rest: String?) {
        let tones = ToneString(after: number)
        #expect(tones?.first == first)
        #expect(tones?.rest?.digits == rest)
    }

    @Test(arguments: ["+4930", "1800flowers", "15,x", ",12", "+,1", "1-5,2"])
    func `other texts stay as they are`(text: String) {
        #expect(ToneString(after: text) == nil)
    }
}
