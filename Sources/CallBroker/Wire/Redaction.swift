internal import BrokerJSON
internal import CallModel

/// Removes from frames what tells who the remote parties are, for clients that may not know. Calls
/// of the client's own app stay as they are.
///
/// Whatever the broker sends to such a client passes here, so no method and no topic can forget it.
struct Redaction {
    /// The provider whose calls the client knows anyway.
    let own: String?

    private static let limits = JSONLimits(depth: 64, values: 65_536)
    /// Members that are removed wherever they are. Addresses are, whatever their member is called.
    private static let removed: Set<String> = [
        "external_id", "elsewhere", "caller", "suggested", "line", "lines", "digits",
        "paused_tones",
        "explanation",
    ]
    /// Members of a call that are removed by what they are.
    private static let removedOfCalls: Set<String> = ["remote", "forwarded_from", "display_name"]
    /// Objects in which an app, or its network, may write anything.
    private static let wordsOfApps: Set<String> = ["failure", "end_detail", "provider_error"]
    /// The members of these objects that stay.
    private static let plainWords: Set<String> = ["code", "reason", "callkit"]

    /// Returns whether the client may know all about the calls of a provider.
    func spares(callsOf provider: ProviderID?) -> Bool {
        own != nil && own == provider?.name
    }

    /// Returns a frame without the people in it, with its LF; nil if that cannot be done.
    func apply(to frame: [UInt8]) -> [UInt8]? {
        guard let document = try? JSONDocument(parsing: frame, limits: Self.limits) else {
            return nil
        }
        var writer = JSONWriter()
        write(document.root, to: &writer)
        writer.endLine()
        return writer.bytes
    }

    private func write(_ value: JSONValue, to writer: inout JSONWriter) {
        switch value.kind {
        case .object where isOwn(value): writer.value(value)
        case .object: writer.object { writeMembers(of: value, to: &$0) }
        case .array:
            writer.array { writer in
                for element in value.elements where !isAddress(element) {
                    write(element, to: &writer)
                }
            }
        default: writer.value(value)
        }
    }

    private func isAddress(_ value: JSONValue) -> Bool {
        value["type"]?.string != nil && value["value"]?.string != nil
    }

    private func isOwn(_ object: JSONValue) -> Bool {
        own.map { object["provider"]?.string == $0 } ?? false
    }

    private func writeMembers(of object: JSONValue, to writer: inout JSONWriter) {
        // The name of an app is no person's.
        let isApp = object["handle_types"] != nil
        let isNamed = object["participant"] != nil || object["endpoint"] != nil
        let isChange = object["set"] != nil
        object.forEachMember { utf8, value in
            let name = String(decoding: utf8, as: UTF8.self)
            guard !Self.removed.contains(name), !isAddress(value),
                isApp || name != "display_name", !isNamed || name != "name"
            else { return }
            if isChange, name == "removed" {
                return write(removed: value.elements.compactMap(\.string), to: &writer)
            }
            writer.name(name)
            if Self.wordsOfApps.contains(name), value.kind == .object {
                writer.object { writePlainWords(of: value, to: &$0) }
            } else {
                write(value, to: &writer)
            }
        }
    }

    /// Writes the names of members that a call does not have any more, but for those that the client
    /// has never been sent.
    private func write(removed names: [String], to writer: inout JSONWriter) {
        let left = names.filter {
            !Self.removed.contains($0) && !Self.removedOfCalls.contains($0)
        }
        if !left.isEmpty { writer.member("removed", words: left) }
    }

    private func writePlainWords(of object: JSONValue, to writer: inout JSONWriter) {
        object.forEachMember { utf8, value in
            let name = String(decoding: utf8, as: UTF8.self)
            guard Self.plainWords.contains(name), value.string.map(Self.isWord) ?? true else {
                return
            }
            writer.name(name)
            writer.value(value)
        }
    }

    /// Returns whether a text is a word for programs.
    private static func isWord(_ text: String) -> Bool {
        text.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_")
        }
    }
}
