internal import BrokerSocket
internal import CallProtocol

/// What a plugin wrote for people: its last lines, and only so many of a flood.
struct PluginLog {
    struct Line: Equatable {
        /// Counts lines, from 1.
        let number: Int
        /// Counts the lines of all plugins, from 1.
        let place: Int
        let atMS: Int64
        let text: String
        /// So many came too fast, and are left out: this line says so.
        var dropped = 0
    }

    static let linesMax = 1_000
    static let lineBytesMax = 8_192
    static let linesPerSecond = 200
    /// Lines that are shown with a change of state.
    private static let lastLines = 5
    private static let lastLineBytes = 512

    private(set) var lines: [Line] = []
    private(set) var lastNumber = 0
    /// The place of the latest line of any plugin.
    var lastPlace = 0
    /// The place of the latest line that was here and is not kept any more.
    private(set) var forgottenPlace = 0
    /// Lines that came too fast.
    private(set) var dropped = 0
    /// Of these, those that no line tells of yet.
    private(set) var untold = 0
    /// Where the process that runs now, or ran last, began to write.
    private(set) var beginning = 0
    /// A line that is not at its end.
    private var rest: [UInt8] = []
    private var bucket: TokenBucket?
    /// What may not be shown.
    var secrets: [String] = []

    /// Another process writes from now on.
    mutating func begin() {
        rest = []
        beginning = lastNumber
    }

    mutating func write(
        _ bytes: UnsafeBufferPointer<UInt8>, atMS: Int64, now: MonotonicTime
    ) {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            keep(bytes[start..<end])
            endLine(atMS: atMS, now: now)
            start = end + 1
        }
        keep(bytes[start...])
    }

    /// Nothing more comes: what is left is a line, too.
    mutating func end(atMS: Int64, now: MonotonicTime) {
        if !rest.isEmpty { endLine(atMS: atMS, now: now) }
        tellDropped(atMS: atMS)
    }

    /// A line of our own stands for those that came too fast.
    mutating func tellDropped(atMS: Int64) {
        guard untold > 0 else { return }
        let noun = untold == 1 ? "1 line is" : "\(untold) lines are"
        add("\(noun) left out: \(Self.linesPerSecond) a second are kept", atMS, dropped: untold)
        untold = 0
    }

    /// One line that is whole.
    mutating func add(
        line bytes: UnsafeBufferPointer<UInt8>, atMS: Int64, now: MonotonicTime
    ) {
        let former = rest
        rest = []
        keep(bytes[...])
        endLine(atMS: atMS, now: now)
        rest = former
    }

    private mutating func keep(_ part: Slice<UnsafeBufferPointer<UInt8>>) {
        rest.append(contentsOf: part.prefix(max(0, Self.lineBytesMax - rest.count)))
    }

    private mutating func endLine(atMS: Int64, now: MonotonicTime) {
        defer { rest.removeAll(keepingCapacity: true) }
        var bucket = bucket ?? TokenBucket(perSecond: Self.linesPerSecond, at: now)
        let isKept = bucket.take(at: now)
        self.bucket = bucket
        guard isKept else {
            dropped += 1
            untold += 1
            return
        }
        add(text(rest), atMS)
    }

    private mutating func add(_ text: String, _ atMS: Int64, dropped: Int = 0) {
        lastNumber += 1
        lastPlace += 1
        lines.append(
            Line(
                number: lastNumber, place: lastPlace, atMS: atMS, text: text, dropped: dropped))
        // By halves, so that not every line moves all others.
        guard lines.count >= 2 * Self.linesMax else { return }
        forgottenPlace = lines[Self.linesMax - 1].place
        lines.removeFirst(Self.linesMax)
    }

    /// Fit for a terminal, and without secrets.
    private func text(_ bytes: [UInt8]) -> String {
        var text = String(decoding: bytes, as: UTF8.self)
        for secret in secrets where !secret.isEmpty {
            text = text.split(separator: secret, omittingEmptySubsequences: false)
                .joined(separator: "***")
        }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where scalar != "\r" {
            scalars.append(scalar.isPrintable || scalar == "\t" ? scalar : "\u{FFFD}")
        }
        return String(scalars)
    }

    // MARK: - Reading

    /// The latest that are kept, behind a number.
    func lines(after number: Int, limit: Int) -> ArraySlice<Line> {
        lines.suffix(min(limit, Self.linesMax)).drop { $0.number <= number }
    }

    /// All that are kept, behind a place.
    func lines(behind place: Int) -> ArraySlice<Line> {
        // Whoever is behind asks again and again.
        var (low, high) = (0, lines.count)
        while low < high {
            let middle = (low + high) / 2
            if lines[middle].place <= place { low = middle + 1 } else { high = middle }
        }
        return lines[low...]
    }

    /// The last words of the process that runs now, or ran last.
    var lastWords: [String] {
        lines.suffix(Self.lastLines).filter { $0.number > beginning }
            .map { $0.text.prefix(utf8: Self.lastLineBytes) }
    }
}

extension String {
    /// As much as fits into so many bytes, in whole characters.
    func prefix(utf8 bytesMax: Int) -> String {
        guard utf8.count > bytesMax else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: bytesMax)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
