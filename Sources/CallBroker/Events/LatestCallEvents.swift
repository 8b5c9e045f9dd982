internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// The latest event of each call, while there are subscribers that are sent its changes only. What
/// has changed is found in the texts of two events, so no member of a call can be forgotten.
struct LatestCallEvents {
    private struct Entry {
        let text: EventText
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
            entries[call] = Entry(text: EventText(event.text))
            return event
        case .callChanged:
            let now = EventText(event.text)
            guard let former = entries.updateValue(Entry(text: now), forKey: call) else {
                return event
            }
            let changes = CallChanges(
                now: now, former: former.text, repeatsChoices: former.hasShownChoices)
            return feed.keep(changes: changes.text())
        case .callRemoved:
            entries[call] = nil
            return event
        default: return event
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

    /// What the user may do with a call, and what may be left out of that.
    private static let choices: [StaticString] = ["can_hold_now", "allowed"] + optionalChoices
    private static let optionalChoices: [StaticString] = ["merge_with", "paused_tones"]

    func text() -> [UInt8] {
        var writer = JSONWriter()
        writer.bytes.reserveCapacity(512)
        writer.bytes.append(contentsOf: now.bytes[..<now.headCount])
        var removed: [EventText.Member] = []
        writer.name("set")
        writer.object { writeChanges(to: &$0, removed: &removed) }
        writeNames(of: removed, to: &writer)
        for member in now.data where !member.isOfTheCall { now.write(member, to: &writer) }
        writer.bytes.append(contentsOf: "}}}".utf8)
        writer.endLine()
        return writer.bytes
    }

    /// Writes the members that are new or have changed. Members are always in the same order, so
    /// those that are skipped on the way to one of the same name are gone.
    private func writeChanges(to writer: inout JSONWriter, removed: inout [EventText.Member]) {
        var next = 0
        for member in now.data where member.isOfTheCall {
            if let place = former.place(of: member, in: now, from: next) {
                let isSame = former.hasSame(former.data[place], as: member, in: now)
                if place > next { removed += former.data[next..<place] }
                next = place + 1
                let repeats = repeatsChoices && now.isNamed(member, oneOf: Self.choices)
                if isSame, !repeats { continue }
            }
            now.write(member, to: &writer)
        }
        removed += former.data[next...]
    }

    private func writeNames(of removed: [EventText.Member], to writer: inout JSONWriter) {
        let gone = removed.filter(\.isOfTheCall)
        let absent = Self.optionalChoices.filter { choice in
            repeatsChoices && !gone.contains { former.isNamed($0, choice) }
                && !now.data.contains { now.isNamed($0, choice) }
        }
        guard !gone.isEmpty || !absent.isEmpty else { return }
        writer.name("removed")
        writer.array { writer in
            for member in gone { former.withName(of: member) { writer.value(utf8: $0) } }
            for name in absent { writer.value(name) }
        }
    }
}

/// The text of an event about a call, as `EventPublisher` writes it, with the places of the members of
/// its data.
private struct EventText {
    /// The places of a name and of the whole member, as JSON.
    struct Member {
        let name: Range<Int32>
        let whole: Range<Int32>
        /// False for a member of the event's data that says nothing about the call itself.
        let isOfTheCall: Bool
    }

    let bytes: [UInt8]
    /// The number of bytes before the members of `data`.
    let headCount: Int
    let data: [Member]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        (headCount, data) = bytes.withUnsafeBufferPointer(Self.places)
    }

    private static func places(in text: UnsafeBufferPointer<UInt8>) -> (Int, [Member]) {
        var reader = EventTextReader(text)
        while let name = reader.name() {
            if UnsafeBufferPointer(rebasing: text[name]).spells("data") { break }
            reader.skipValue()
        }
        reader.enter()
        let headCount = reader.index
        var data: [Member] = []
        data.reserveCapacity(48)
        while let member = reader.member() { data.append(member) }
        return (headCount, data)
    }

    // MARK: - Names

    func isNamed(_ member: Member, _ name: StaticString) -> Bool {
        withName(of: member) { $0.spells(name) }
    }

    func isNamed(_ member: Member, oneOf names: [StaticString]) -> Bool {
        names.contains { isNamed(member, $0) }
    }

    func withName<Result>(
        of member: Member, _ read: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        with(member.name, read)
    }

    private func with<Result>(
        _ range: Range<Int32>, _ read: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        bytes.withUnsafeBufferPointer {
            read(
                UnsafeBufferPointer(rebasing: $0[Int(range.lowerBound)..<Int(range.upperBound)]))
        }
    }

    // MARK: - Members

    /// Returns the place of the member that has the name of a member of another text: nearly always
    /// the next one.
    func place(of member: Member, in other: EventText, from start: Int) -> Int? {
        data[start...].firstIndex { isSame($0.name, as: member.name, in: other) }
    }

    /// Returns whether a member is the same as a member of another text.
    func hasSame(_ own: Member, as member: Member, in other: EventText) -> Bool {
        isSame(own.whole, as: member.whole, in: other)
    }

    private func isSame(
        _ own: Range<Int32>, as range: Range<Int32>, in other: EventText
    ) -> Bool {
        with(own) { own in other.with(range) { own.isSame(as: $0) } }
    }

    func write(_ member: Member, to writer: inout JSONWriter) {
        with(member.whole) { writer.value(json: $0) }
    }
}

/// Reads the compact JSON of the broker itself.
private struct EventTextReader {
    private let text: UnsafeBufferPointer<UInt8>
    private(set) var index = 0

    init(_ text: UnsafeBufferPointer<UInt8>) {
        self.text = text
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
        let text = UnsafeBufferPointer(rebasing: text[name])
        return EventText.Member(
            name: Int32(name.lowerBound)..<Int32(name.upperBound),
            whole: Int32(start)..<Int32(index),
            isOfTheCall: !text.spells("changed") && !text.spells("cause"))
    }

    /// Reads a name with its colon, and returns its place; nil if there is none.
    mutating func name() -> Range<Int>? {
        if current == UInt8(ascii: ",") { index += 1 }
        guard current == UInt8(ascii: "\"") else { return nil }
        let start = index + 1
        index = Self.end(ofStringAt: index, in: text)
        defer { index += 1 }
        return start..<(index - 1)
    }

    mutating func skipValue() {
        var (place, depth) = (index, 0)
        defer { index = place }
        while place < text.count {
            let byte = text[place]
            if Self.isPlain(byte) {
                place += 1
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                place = Self.end(ofStringAt: place, in: text)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
            case UInt8(ascii: ","): if depth == 0 { return }
            default: break
            }
            place += 1
        }
    }

    /// Returns whether a byte outside of strings is a digit, a lowercase letter or the like.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "-") <= UInt8(ascii: "Z") - UInt8(ascii: "-")
            || byte &- UInt8(ascii: "^") <= UInt8(ascii: "z") - UInt8(ascii: "^")
    }

    /// Returns the place behind a string, of which the first quotation mark is at `start`.
    private static func end(
        ofStringAt start: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> Int {
        var place = start + 1
        while place < text.count {
            let byte = text[place]
            if byte == UInt8(ascii: "\"") { return place + 1 }
            place += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return place
    }

    private var current: UInt8 {
        index < text.count ? text[index] : 0
    }
}
