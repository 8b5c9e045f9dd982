internal import CallModel

@testable internal import CallStore

/// An address: its kind and the user's region in the first byte, then its text.
///
/// The key of a key is the key. An international number is the same in every region, and the keys of
/// its beginnings are beginnings of its key. A number of a directory and its key name each other.
enum StoreKeyInput {
    private static let kinds: [Handle.Kind] = [.phone, .email, .generic, .other("other")]
    private static let regions = [nil] + PhoneNumber.regions.map(Optional.some)

    static func check(_ bytes: [UInt8]) throws(Finding) {
        guard let first = bytes.first else { return }
        let kind = kinds[Int(first) % kinds.count]
        let region = regions[Int(first) / kinds.count % regions.count]
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        let key = HandleKey(Handle(kind: kind, value: text), region: region)
        let again = HandleKey(Handle(kind: key.kind, value: key.text), region: region)
        try require(again == key, "the key of \(key) is \(again)")
        try require(
            HandleKey.names(of: Handle(kind: kind, value: text), region: region).first == key,
            "\(key) is not the first name")
        if kind == .phone { try checkDirectory(key, text, region) }
        if kind == .phone { try checkBeginnings(of: key, region) }
    }

    private static func checkDirectory(
        _ key: HandleKey, _ text: String, _ region: String?
    ) throws(Finding) {
        guard let number = key.directoryNumber else { return }
        try require("+\(number)" == key.text, "\(key) is number \(number)")
        let found = PhoneNumber.directoryNumber(text, region: region)
        try require(found == number, "\(key) is number \(number), and the text \(found ?? 0)")
    }

    private static func checkBeginnings(
        of key: HandleKey, _ region: String?
    ) throws(Finding) {
        guard key.directoryNumber != nil else { return }
        let elsewhere = HandleKey(Handle(kind: .phone, value: key.text), region: "FR")
        try require(elsewhere == key, "\(key) is \(elsewhere) in another region")
        for end in key.text.indices.dropFirst() {
            let beginning = String(key.text[..<end])
            let prefix = HandleKey(prefix: beginning, of: .phone, region: region)
            try require(key.text.hasPrefix(prefix.text), "\(prefix) does not begin \(key)")
        }
    }
}
