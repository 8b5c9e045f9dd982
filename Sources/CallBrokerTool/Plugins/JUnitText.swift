/// Parts of JUnit XML.
enum JUnitText {
    static let head = #"<?xml version="1.0" encoding="UTF-8"?>"#

    static func seconds(_ milliseconds: Int64) -> String {
        let rest = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}
