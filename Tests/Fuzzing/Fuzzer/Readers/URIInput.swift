internal import CallModel

@testable internal import CallBroker

/// The address of a link: what is accepted has a scheme of RFC 3986 and a value of allowed length; with
/// every byte of its value escaped, and with its scheme in capitals, it is the same address. On the wire
/// no text has a NUL.
enum URIInput {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard !bytes.contains(0), let address = try? DialledAddress(text) else { return }
        let (scheme, value) = (address.scheme, address.handle.value)
        try require(isScheme(scheme), "\(scheme) is no scheme")
        try require(value.utf8.count <= Handle.valueBytesMax, "\(value.utf8.count) bytes")
        guard address.handle.kind != .generic else {
            return try require(
                (try? DialledAddress(value)) == address, "\(value) is another address")
        }
        guard !value.isEmpty, !value.hasPrefix("//") else { return }
        let escaped = value.utf8.map { "%" + hex($0) }.joined()
        let again = try? DialledAddress("\(scheme.uppercased()):\(escaped)")
        try require(again == address, "\(address) became \(String(describing: again))")
    }

    private static func isScheme(_ text: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = text.utf8.first, letters.contains(first) else { return false }
        return text.utf8.allSatisfy {
            letters.contains($0) || digits.contains($0) || "+-.".utf8.contains($0)
        }
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
