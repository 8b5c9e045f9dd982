import BrokerJSON
import Testing

struct JSONScannerNumberTests {
    static let malformed = [
        BadText("-", at: 1),
        BadText("[-]", at: 2),
        BadText("--1", at: 1),
        BadText("-a", at: 1),
        BadText("- 1", at: 1),
        BadText("+1", at: 0),
        BadText("[+1]", at: 1),
        BadText("00", at: 1),
        BadText("01", at: 1),
        BadText("-01", at: 2),
        BadText("[1,007]", at: 4),
        BadText("1.", at: 2),
        BadText("[1.]", at: 3),
        BadText("1.e5", at: 2),
        BadText("1.-5", at: 2),
        BadText("1.2.3", at: 3),
        BadText(".5", at: 0),
        BadText("-.5", at: 1),
        BadText("1e", at: 2),
        BadText("0e", at: 2),
        BadText("1E", at: 2),
        BadText("1e+", at: 3),
        BadText("1e-", at: 3),
        BadText("1e+-1", at: 3),
        BadText("1e 5", at: 2),
        BadText("1e5.5", at: 3),
        BadText("1e5e5", at: 3),
        BadText("1a", at: 1),
        BadText("0x10", at: 1),
        BadText("1_000", at: 1),
        BadText("1,000", at: 1),
        BadText("1 000", at: 2),
        BadText("1f", at: 1),
        BadText("１", at: 0),
    ]

    @Test(arguments: malformed)
    func `a malformed number is refused at the byte that breaks it`(bad: BadText) {
        #expect(refusal(of: bad.text) == bad.refusal)
    }

    static let integers: [(String, Int64)] = [
        ("0", 0), ("-0", 0), ("1", 1), ("-1", -1), ("10", 10), ("9007199254740993", 1 << 53 + 1),
        ("9223372036854775807", .max), ("-9223372036854775808", .min),
        ("9223372036854775806", .max - 1), ("-9223372036854775807", .min + 1),
    ]

    @Test(arguments: integers)
    func `integers are exact up to the ends of int64`(text: String, number: Int64) throws {
        #expect(try reading(text) { Tree($0) } == .integer(number))
        #expect(try reading("[ \(text) ]") { Tree($0) } == .array([.integer(number)]))
    }

    static let reals: [(String, Double)] = [
        ("0.0", 0), ("-0.0", -0.0), ("1.0", 1), ("1E+5", 1e5), ("1e5", 1e5), ("1e-5", 1e-5),
        ("1.5e00", 1.5), ("0e999999", 0), ("-12.25E-02", -0.1225),
        ("1.7976931348623157e308", .greatestFiniteMagnitude),
        ("2.2250738585072014e-308", 0x1p-1022),
        ("4.9e-324", 0x1p-1074), ("1e-999", 0), ("-1e-999", -0.0), ("0.1", 0.1),
        ("9223372036854775808.0", 0x1p63), ("9007199254740993.0", 0x1p53),
    ]

    @Test(arguments: reals)
    func `a fraction or an exponent makes a real, however small`(
        text: String, number: Double
    ) throws {
        #expect(try reading(text) { Tree($0) } == .real(number))
    }

    @Test func `a real may have many digits`() throws {
        let digits = String(repeating: "3", count: 10_000)
        #expect(try reading("0.\(digits)") { $0.real } == 1.0 / 3)
        let zeros = String(repeating: "0", count: 1_000)
        #expect(try reading("1\(zeros)e-1000") { $0.real } == 1)
    }

    static let outOfRange = [
        BadText("9223372036854775808", Refusal(.numberRange, at: 0)),
        BadText("-9223372036854775809", Refusal(.numberRange, at: 0)),
        BadText("18446744073709551616", Refusal(.numberRange, at: 0)),
        BadText("1e999", Refusal(.numberRange, at: 0)),
        BadText("-1e999", Refusal(.numberRange, at: 0)),
        BadText("1.8E+308", Refusal(.numberRange, at: 0)),
        BadText("[1, 9223372036854775808]", Refusal(.numberRange, at: 4)),
        BadText("[1,-9223372036854775809 ,3]", Refusal(.numberRange, at: 3)),
        BadText("[1,2e400,3]", Refusal(.numberRange, at: 3)),
        BadText(#"{"1e5":1e400}"#, Refusal(.numberRange, at: 7)),
        BadText(#"{"a":{"b":[-0.5e+309]}}"#, Refusal(.numberRange, at: 11)),
        BadText("\n\n  1e999\n", Refusal(.numberRange, line: 3, column: 3, byte: 4)),
        BadText(
            "{\"é\":1,\n \"😀\": 99999999999999999999}",
            Refusal(.numberRange, line: 2, column: 7, byte: 18)),
    ]

    @Test(arguments: outOfRange)
    func `a number out of range is refused at its first byte`(bad: BadText) {
        #expect(refusal(of: bad.text) == bad.refusal)
    }

    @Test func `a very long integer is refused at its first byte`() {
        let digits = String(repeating: "9", count: 60_000)
        #expect(refusal(of: "[\(digits)]") == Refusal(.numberRange, at: 1))
        #expect(refusal(of: "[0, -\(digits).0]") == Refusal(.numberRange, at: 4))
    }
}
