internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// The latest event of each call, while there are subscribers that are sent its changes only. What
/// has changed is found in the texts of two events, so no member of a call can be forgotten.
struct LatestCallEvents {
    private struct Entry {
        let text: [UInt8]
        /// True if a client may have been sent other choices since, without a numbered event.
        var hasShownChoices = false
    }

    private var entries: [CallID: Entry] = [:]

    /// Replaces the latest event of a call, or removes it with the call, and keeps the changes in
    /// the feed.
    ///
    /// - Parameters:
    ///   - event: the event that was added to the feed last.
    ///   - call: the call that it is about.
    ///   - feed: the feed.
    /// - Returns: the event with the changes, if there are any.
    mutating func replace(
        by event: EventFeed.Event, of call: CallID, in feed: inout EventFeed
    ) -> EventFeed.Event {
        switch event.topic {
        case .callAdded:
            entries[call] = Entry(text: event.text)
            return event
        case .callChanged:
            let former = entries.updateValue(Entry(text: event.text), forKey: call)
            return former.map { feed.keep(changes: Self.changes(in: event.text, since: $0)) }
                ?? event
        case .callRemoved:
            entries[call] = nil
            return event
        default: return event
        }
    }

    private static func changes(in text: [UInt8], since former: Entry) -> [UInt8] {
        text.withUnsafeBufferPointer { text in
            former.text.withUnsafeBufferPointer { formerText in
                CallChanges(
                    now: EventText(text), former: EventText(formerText),
                    repeatsChoices: former.hasShownChoices
                ).text()
            }
        }
    }

    /// Records that a client was sent the choices of a call outside of its numbered events.
    mutating func markShown(_ call: CallID) {
        if !entries.isEmpty { entries[call]?.hasShownChoices = true }
    }
}

/// The changes of a call between two events.
private struct CallChanges {
    let now: EventText
    let former: EventText
    /// True to write the choices even if they are those of the event before.
    let repeatsChoices: Bool

    /// The members of an event's data that are not the call's.
    private static let ofTheEvent: [StaticString] = ["changed", "cause"]
    /// What the user may do with a call, and what may be left out of that.
    private static let choices: [StaticString] = ["can_hold_now", "allowed"] + optionalChoices
    private static let optionalChoices: [StaticString] = ["merge_with", "paused_tones"]

    func text() -> [UInt8] {
        var writer = JSONWriter()
        writer.bytes.reserveCapacity(512)
        writer.bytes.append(contentsOf: now.head)
        var removed: [EventText.Member] = []
        writer.name("set")
        writer.object { writeChanges(to: &$0, removed: &removed) }
        writeNames(of: removed, to: &writer)
        for member in now.data where member.isNamed(oneOf: Self.ofTheEvent) {
            writer.value(json: member.text)
        }
        writer.bytes.append(contentsOf: "}}}".utf8)
        writer.endLine()
        return writer.bytes
    }

    /// Writes the members that are new or have changed. Members are always in the same order, so
    /// those that are skipped on the way to one of the same name are gone.
    private func writeChanges(to writer: inout JSONWriter, removed: inout [EventText.Member]) {
        var rest = former.data[...]
        for member in now.data where !member.isNamed(oneOf: Self.ofTheEvent) {
            if let place = rest.firstIndex(where: { $0.name.elementsEqual(member.name) }) {
                let isSame = rest[place].text.elementsEqual(member.text)
                removed += rest[..<place]
                rest = rest[(place + 1)...]
                if isSame, !(repeatsChoices && member.isNamed(oneOf: Self.choices)) { continue }
            }
            writer.value(json: member.text)
        }
        removed += rest
    }

    private func writeNames(of removed: [EventText.Member], to writer: inout JSONWriter) {
        let gone = removed.filter { !$0.isNamed(oneOf: Self.ofTheEvent) }
        let absent = Self.optionalChoices.filter { choice in
            repeatsChoices && !gone.contains { $0.isNamed(choice) }
                && !now.data.contains { $0.isNamed(choice) }
        }
        guard !gone.isEmpty || !absent.isEmpty else { return }
        writer.name("removed")
        writer.array { writer in
            for member in gone { writer.value(utf8: member.name) }
            for name in absent { writer.value(name) }
        }
    }
}

/// The members in the text of an event about a call, as `EventPublisher` writes it.
private struct EventText {
    struct Member {
        let name: UnsafeBufferPointer<UInt8>
        /// The name and the value, as JSON.
        let text: UnsafeBufferPointer<UInt8>

        func isNamed(_ name: StaticString) -> Bool {
            self.name.elementsEqual(
                UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        }

        func isNamed(oneOf names: [StaticString]) -> Bool {
            names.contains { isNamed($0) }
        }
    }

    /// All before the members of `data`.
    let head: UnsafeBufferPointer<UInt8>
    private(set) var data: [Member] = []

    init(_ text: UnsafeBufferPointer<UInt8>) {
        var reader = EventTextReader(text)
        while let name = reader.name(), !Self.isData(name) { reader.skipValue() }
        reader.enter()
        head = reader.textBefore
        data.reserveCapacity(48)
        while let member = reader.member() { data.append(member) }
    }

    private static func isData(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        Member(name: name, text: name).isNamed("data")
    }
}

/// Reads the compact JSON of the broker itself.
private struct EventTextReader {
    private let text: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ text: UnsafeBufferPointer<UInt8>) {
        self.text = text
    }

    var textBefore: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: text[..<index])
    }

    /// Enters an object.
    mutating func enter() {
        index = min(index + 1, text.count)
    }

    /// Reads a member; nil at the end of the object.
    mutating func member() -> EventText.Member? {
        if current == UInt8(ascii: ",") { index += 1 }
        let start = index
        guard let name = name() else { return nil }
        skipValue()
        return EventText.Member(
            name: name, text: UnsafeBufferPointer(rebasing: text[start..<index]))
    }

    /// Reads a name with its colon; nil if there is none.
    mutating func name() -> UnsafeBufferPointer<UInt8>? {
        if current == UInt8(ascii: ",") { index += 1 }
        guard current == UInt8(ascii: "\"") else { return nil }
        let start = index + 1
        skipString()
        defer { index += 1 }
        return UnsafeBufferPointer(rebasing: text[start..<(index - 1)])
    }

    mutating func skipValue() {
        var depth = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\""):
                skipString()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
            case UInt8(ascii: ","): if depth == 0 { return }
            default: break
            }
            index += 1
        }
    }

    /// Skips a string, of which the index is at the first quotation mark.
    private mutating func skipString() {
        index += 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
    }

    private var current: UInt8 {
        index < text.count ? text[index] : 0
    }
}
