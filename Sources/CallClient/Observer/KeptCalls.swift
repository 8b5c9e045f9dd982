internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// The calls of an observer in the order in which they came, with their JSON, to which the broker's
/// changes are applied.
struct KeptCalls {
    private struct Entry {
        var call: Call
        var text: [UInt8]
    }

    /// The members of a choice that may be left out.
    private static let optionalChoices: Set<String> = ["merge_with", "paused_tones"]

    private var entries: [Entry] = []

    var all: [Call] {
        entries.map(\.call)
    }

    mutating func removeAll() {
        entries = []
    }

    mutating func remove(_ call: CallID) {
        entries.removeAll { $0.call.id == call }
    }

    /// Stores a call.
    ///
    /// - Returns: the call; nil if it cannot be read, or a newer state of it is known.
    @discardableResult
    mutating func store(_ value: JSONValue) -> Call? {
        guard let call = Call(value) else { return nil }
        var writer = JSONWriter()
        writer.value(value)
        let entry = Entry(call: call, text: writer.bytes)
        guard let index = index(of: call.id) else {
            entries.append(entry)
            return call
        }
        guard call.revision >= entries[index].call.revision else { return nil }
        entries[index] = entry
        return call
    }

    /// Applies the changes of a call.
    ///
    /// - Parameters:
    ///   - id: the id of the call.
    ///   - members: those with new values.
    ///   - removed: the names of members that the call has no more.
    /// - Returns: the call; nil if it is unknown.
    mutating func change(
        _ id: CallID?, _ members: JSONValue, removing removed: Set<String>
    ) -> Call? {
        guard let index = index(of: id),
            let text = Self.text(entries[index].text, members, removing: removed),
            let document = try? JSONDocument(parsing: text), let call = Call(document.root)
        else { return nil }
        entries[index] = Entry(call: call, text: text)
        return call
    }

    /// Updates the requests that are possible for a call that has not changed otherwise.
    ///
    /// - Returns: the call, and the wire names of the members that changed; nil if it is unknown.
    mutating func allow(_ given: JSONValue) -> (call: Call, names: [String])? {
        guard let index = index(of: CallID(given["call"])) else { return nil }
        let names = entries[index].call.allow(given)
        let text = Self.text(entries[index].text, given, removing: Self.optionalChoices)
        if let text { entries[index].text = text }
        return (entries[index].call, names)
    }

    private func index(of call: CallID?) -> Int? {
        entries.firstIndex { $0.call.id == call }
    }

    /// Returns the JSON of a changed call.
    private static func text(
        _ former: [UInt8], _ members: JSONValue, removing removed: Set<String>
    ) -> [UInt8]? {
        guard let document = try? JSONDocument(parsing: former) else { return nil }
        var writer = JSONWriter()
        writer.object { writer in
            document.root.forEachMember { utf8, value in
                let name = String(decoding: utf8, as: UTF8.self)
                guard members[named: name] == nil, !removed.contains(name) else { return }
                writer.name(name)
                writer.value(value)
            }
            members.forEachMember { utf8, value in
                writer.name(String(decoding: utf8, as: UTF8.self))
                writer.value(value)
            }
        }
        return writer.bytes
    }
}
