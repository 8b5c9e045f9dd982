/// An abbreviated id: its first eight digits. Ids that the broker makes start alike and differ at
/// the end, so these show their end, too.
package struct ShortID: CustomStringConvertible {
    package static let gap = "…"

    package let description: String

    /// - Parameter text: an id, or any text in place of one.
    package init(_ text: String) {
        let id = text.printable
        let isCounted = id.count == 36 && Array(id)[14] == "8"
        description = isCounted ? "\(id.prefix(8))\(Self.gap)\(id.suffix(4))" : "\(id.prefix(8))"
    }
}
