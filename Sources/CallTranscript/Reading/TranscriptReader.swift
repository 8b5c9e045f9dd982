public import CallArbitration
public import CallModel

/// A reader of single complete lines, as in an export of a journal or in a bug report.
public struct TranscriptReader: Sendable {
    /// The lineage of ids that are written by their counter alone.
    public let lineage: UInt64

    /// Creates a reader.
    public init(lineage: UInt64 = 1) {
        self.lineage = lineage
    }

    /// The meaning of a line.
    public enum Line: Hashable, Sendable {
        /// An event with its time.
        case event(ArbiterEvent, at: Instant)
        /// An effect.
        case effect(ArbiterEffect)
        /// The state of a call.
        case call(CallView)
        /// The state of the host.
        case host(HostState)
        /// A comment, the title of a section, or an empty line.
        case text(String)
    }

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - bytes: The transcript, or the part of it that was read.
    ///   - range: The place of the line in the bytes, without its newline.
    ///   - number: The number of the line for errors, from 1.
    public func line(_ bytes: [UInt8], in range: Range<Int>, number: Int) throws(TranscriptError)
        -> Line
    {
        let source = TranscriptSource(bytes, range, number: number, lineage: lineage)
        guard let mark = bytes[range].first else { return .text("") }
        switch mark {
        case UInt8(ascii: ">"):
            let (event, instant) = try source.event()
            return .event(event, at: instant)
        case UInt8(ascii: "<"): return .effect(try source.effect())
        case UInt8(ascii: "="):
            switch try source.state() {
            case .call(let call): return .call(call)
            case .host(let host): return .host(host)
            }
        case UInt8(ascii: "#"):
            guard let text = String(validating: bytes[range], as: UTF8.self) else {
                throw source.error(at: range.lowerBound, to: range.upperBound, expected: "UTF-8")
            }
            return .text(text)
        default:
            throw source.error(at: range.lowerBound, expected: "one of >, <, = and #")
        }
    }

    /// Reads a line from its text.
    public func line(_ text: String, number: Int = 1) throws(TranscriptError) -> Line {
        let bytes = Array(text.utf8)
        return try line(bytes, in: bytes.indices, number: number)
    }
}

/// Parsing of a line from its mark to its end.
extension TranscriptSource {
    func event() throws(TranscriptError) -> (ArbiterEvent, at: Instant) {
        var place = try start(after: UInt8(ascii: ">"))
        let instant = try time(&place)
        let kind = try EventKind.read(try word(&place, expected: EventKind.words))
        var members = try TranscriptMembers(self, from: place, to: range.upperBound)
        let event = try ArbiterEvent(kind, members: &members)
        try members.finish()
        return (event, instant)
    }

    func effect() throws(TranscriptError) -> ArbiterEffect {
        var place = try start(after: UInt8(ascii: "<"))
        let kind = try EffectKind.read(try word(&place, expected: EffectKind.words))
        var members = try TranscriptMembers(self, from: place, to: range.upperBound)
        let effect = try ArbiterEffect(kind, members: &members)
        try members.finish()
        return effect
    }

    enum State {
        case call(CallView)
        case host(HostState)
    }

    func state() throws(TranscriptError) -> State {
        var place = try start(after: UInt8(ascii: "="))
        let kind = try StateKind.read(try word(&place, expected: StateKind.words))
        var members = try TranscriptMembers(self, from: place, to: range.upperBound)
        let state: State =
            switch kind {
            case .call: .call(try CallView(members: &members))
            case .host: .host(try HostState(members: &members))
            }
        try members.finish()
        return state
    }

    private enum StateKind: String, TranscriptWord {
        case call, host
    }

    /// Returns the index of the first character after the mark and the spaces.
    private func start(after mark: UInt8) throws(TranscriptError) -> Int {
        guard bytes[range].first == mark else {
            let expected = Character(Unicode.Scalar(mark))
            throw error(at: range.lowerBound, expected: String(expected))
        }
        let start = range.lowerBound + 1
        guard start < range.upperBound, bytes[start] == UInt8(ascii: " ") else {
            throw error(at: start, expected: "a space after the mark")
        }
        return skipSpaces(from: start, before: range.upperBound)
    }

    /// Parses `@1500`; for authors also `@+500`, or nothing.
    private func time(_ place: inout Int) throws(TranscriptError) -> Instant {
        let expected = "@ and a time"
        guard place < range.upperBound, bytes[place] == UInt8(ascii: "@") else {
            guard let draft else { throw error(at: place, expected: expected) }
            return draft.now
        }
        place += 1
        let isRelative = place < range.upperBound && bytes[place] == UInt8(ascii: "+")
        if isRelative { place += 1 }
        let field = try word(&place, expected: "a time")
        let instant = try Instant.read(field)
        guard isRelative else { return instant }
        guard let draft else { throw field.error(expected: "a time from the beginning") }
        let (sum, isTooLarge) = draft.now.nanoseconds.addingReportingOverflow(instant.nanoseconds)
        guard !isTooLarge else { throw field.error(expected: "a time") }
        return Instant(nanoseconds: sum)
    }

    /// Parses a word, and moves the index past it.
    private func word(_ place: inout Int, expected: @autoclosure () -> String)
        throws(TranscriptError) -> TranscriptField
    {
        let end = endOfWord(at: place, before: range.upperBound)
        guard end > place else { throw error(at: place, expected: expected()) }
        guard end == range.upperBound || bytes[end] == UInt8(ascii: " ") else {
            throw error(at: end, expected: "a space")
        }
        let field = TranscriptField(source: self, start: place, end: end)
        place = skipSpaces(from: end, before: range.upperBound)
        return field
    }
}
