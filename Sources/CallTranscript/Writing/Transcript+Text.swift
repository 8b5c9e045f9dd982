/// Conversion of a whole file from and to text.
extension Transcript {
    /// The parts of a file to read.
    public enum Reading: Sendable {
        /// All lines.
        case everything
        /// Events and comments only: enough for a replay, whatever an older arbiter wrote.
        case whatAuthorsWrote
    }

    /// Reads a file.
    public init(
        _ text: String, reading: Reading = .everything, lineage: UInt64 = 1
    ) throws(TranscriptError) {
        let bytes = Array(text.utf8)
        var parser = Parser(bytes: bytes, reading: reading, lineage: lineage)
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            try parser.line(start..<end)
            start = end + 1
        }
        guard let story = parser.story else {
            throw TranscriptError(
                line: 1, column: 1, expected: "a comment that tells the story",
                found: "the end of the file")
        }
        self.init(story: story, sections: parser.sections)
    }

    /// Returns the text of the file. A file read in canonical form is reproduced byte for byte.
    public func text(lineage: UInt64 = 1) -> String {
        var writer = TranscriptWriter(lineage: lineage)
        writer.write(comment: story)
        for section in sections {
            if let title = section.title { writer.write(mark: "## ", title) }
            for line in section.lines {
                switch line {
                case .state(let bytes): writer.write(state: bytes)
                case .event(let event): writer.write(mark: "", event.text)
                case .effect(let effect): writer.write(effect)
                case .call(let call): writer.write(call)
                case .host(let host): writer.write(host)
                case .comment(let text): writer.write(comment: text)
                case .blank: writer.write(mark: "", "")
                }
            }
        }
        return writer.text
    }

    /// A parser of a file, line by line.
    private struct Parser {
        let bytes: [UInt8]
        let reading: Reading
        let lineage: UInt64
        var number = 0
        var story: String?
        var sections: [Section] = []

        mutating func line(_ range: Range<Int>) throws(TranscriptError) {
            number += 1
            let source = TranscriptSource(bytes, range, number: number, lineage: lineage)
            switch bytes[range].first {
            case UInt8(ascii: "#"): try comment(source)
            case _ where story == nil: throw missingStory(source)
            case nil: append(.blank)
            case UInt8(ascii: "*"): append(.state(try source.hex()))
            case UInt8(ascii: ">"):
                append(.event(EventLine(text: text(range), number: number)))
            case UInt8(ascii: "<"):
                if reading == .everything { append(.effect(try source.effect())) }
            case UInt8(ascii: "="):
                if reading == .everything { append(try state(source)) }
            default: throw source.error(at: range.lowerBound, expected: "one of >, <, =, * and #")
            }
        }

        private mutating func comment(_ source: TranscriptSource) throws(TranscriptError) {
            let range = source.range
            let marks = bytes[range].prefix { $0 == UInt8(ascii: "#") }.count
            if marks == 1, range.count == 1 { return append(comment: "") }
            let start = range.lowerBound + marks
            guard marks <= 2, start < range.upperBound, bytes[start] == UInt8(ascii: " ") else {
                throw source.error(at: start, expected: "a space after # or ##")
            }
            let text = text(start + 1..<range.upperBound)
            if marks == 1 { return append(comment: text) }
            guard story != nil else { throw missingStory(source) }
            sections.append(Section(title: text))
        }

        /// Adds a comment; the first one is the story.
        private mutating func append(comment text: String) {
            if story == nil { story = text } else { append(.comment(text)) }
        }

        private func missingStory(_ source: TranscriptSource) -> TranscriptError {
            source.error(
                at: source.range.lowerBound, expected: "a comment that tells the story")
        }

        private func state(_ source: TranscriptSource) throws(TranscriptError) -> Line {
            switch try source.state() {
            case .call(let call): .call(call)
            case .host(let host): .host(host)
            }
        }

        private func text(_ range: Range<Int>) -> String {
            String(decoding: bytes[range], as: UTF8.self)
        }

        private mutating func append(_ line: Line) {
            if sections.isEmpty { sections.append(Section(title: nil)) }
            sections[sections.count - 1].lines.append(line)
        }
    }
}

extension TranscriptWriter {
    /// Writes `# text`, or `#` alone.
    public mutating func write(comment text: String) {
        write(mark: text.isEmpty ? "#" : "# ", text)
    }
}
