internal import CallArbitration

/// Recordings of brokers: the arbiter at the beginning, then its events and effects.
extension Transcript {
    /// Reads a recording, whose ids may be of any broker's lineage.
    /// - Throws: `TranscriptError`.
    public init(recording text: String) throws(TranscriptError) {
        let draft = try Transcript(text, reading: .whatAuthorsWrote)
        guard let lineage = try draft.lineage() else {
            self = try Transcript(text)
            return
        }
        self = try Transcript(text, lineage: lineage)
    }

    /// Returns the text of the transcript with the decisions of the present arbiter.
    public func replayed() throws(TranscriptError) -> String {
        let lineage = try lineage() ?? 1
        return try played(lineage: lineage).text(lineage: lineage)
    }

    /// Plays a recording, and passes each event with its effects to a function.
    ///
    /// - Throws: `TranscriptError`, also for a transcript that no broker has recorded.
    package func replay(_ visit: (Step) -> Void) throws(TranscriptError) {
        guard let lineage = try lineage() else {
            throw TranscriptError(
                line: 1, column: 1, expected: "a recording", found: "no state of a broker")
        }
        var player = Player(arbiter: Arbiter(lineage: lineage), lineage: lineage)
        for line in sections.first?.lines ?? [] {
            switch line {
            case .state(let bytes): player.arbiter = try Player.arbiter(of: bytes)
            case .event(let event): visit(try player.step(event))
            case .effect, .call, .host, .comment, .blank: break
            }
        }
    }

    /// Returns the lineage of the ids in a recording; nil if this is not one.
    private func lineage() throws(TranscriptError) -> UInt64? {
        for case .state(let bytes) in sections.first?.lines ?? [] {
            return try Player.arbiter(of: bytes).lineage
        }
        return nil
    }
}

extension TranscriptWriter {
    /// Writes a line with `* ` and hexadecimal digits.
    package mutating func write(state: [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        let hex = state.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        write(mark: "* ", String(decoding: hex, as: UTF8.self))
    }
}

extension TranscriptSource {
    /// Parses a line of `write(state:)`.
    func hex() throws(TranscriptError) -> [UInt8] {
        let start = range.lowerBound + 2
        guard start <= range.upperBound, (range.upperBound - start) % 2 == 0 else {
            throw error(at: range.lowerBound, expected: "* and bytes in hex")
        }
        var state: [UInt8] = []
        for place in stride(from: start, to: range.upperBound, by: 2) {
            guard let high = Self.digit(bytes[place]), let low = Self.digit(bytes[place + 1]) else {
                throw error(at: place, expected: "two hex digits")
            }
            state.append(high << 4 | low)
        }
        return state
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
