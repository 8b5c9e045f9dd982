/// An id as people read it: its first eight digits. Ids that the broker makes begin alike and count
/// at their end, so of these the end is shown too.
package struct ShortID: CustomStringConvertible {
    package static let gap = "…"

    package let description: String

    /// - Parameter text: an id, or whatever stands where one is expected.
    package init(_ text: String) {
        let id = text.printable
        let isCounted = id.count == 36 && Array(id)[14] == "8"
        description = isCounted ? "\(id.prefix(8))\(Self.gap)\(id.suffix(4))" : "\(id.prefix(8))"
    }
}
