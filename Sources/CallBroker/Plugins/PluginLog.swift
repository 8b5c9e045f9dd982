internal import BrokerSocket
internal import CallProtocol

/// The log of a plugin: the last lines of its output, at a limited rate.
struct PluginLog {
    struct Line: Equatable {
        /// The number of the line within this log, from 1.
        let number: Int
        /// The number of the line among those of all plugins, from 1.
        let globalIndex: Int
        let atMS: Int64
        let text: String
        /// The number of dropped lines that this line reports.
        var dropped = 0
    }

    static let linesMax = 1_000
    static let lineBytesMax = 8_192
    static let linesPerSecond = 200
    /// The number of lines that are shown with a change of state.
    private static let tailLines = 5
    private static let tailLineBytes = 512

    private(set) var lines: [Line] = []
    private(set) var lastNumber = 0
    /// The global index of the latest line of any plugin.
    var lastIndex = 0
    /// The global index of the latest line of this log that is not kept any more.
    private(set) var evictedIndex = 0
    /// The number of lines that were dropped.
    private(set) var dropped = 0
    /// The number of dropped lines that no line reports yet.
    private(set) var unreportedDrops = 0
    /// The number of the latest line before the current, or last, process.
    private(set) var beginning = 0
    /// The beginning of an incomplete line.
    private var rest: [UInt8] = []
    private var bucket: TokenBucket?
    /// The texts that are removed from lines.
    var secrets: [String] = []

    /// Begins the output of a new process.
    mutating func begin() {
        rest = []
        beginning = lastNumber
    }

    mutating func write(
        _ bytes: UnsafeBufferPointer<UInt8>, atMS: Int64, now: MonotonicTime
    ) {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            append(bytes[start..<end])
            endLine(atMS: atMS, now: now)
            start = end + 1
        }
        append(bytes[start...])
    }

    /// Ends the output of a process; an incomplete line is added, too.
    mutating func end(atMS: Int64, now: MonotonicTime) {
        if !rest.isEmpty { endLine(atMS: atMS, now: now) }
        reportDropped(atMS: atMS)
    }

    /// Adds a line that reports the dropped lines.
    mutating func reportDropped(atMS: Int64) {
        let drops = unreportedDrops
        guard drops > 0 else { return }
        let noun = drops == 1 ? "1 line" : "\(drops) lines"
        add("\(noun) dropped: the limit is \(Self.linesPerSecond) a second", atMS, dropped: drops)
        unreportedDrops = 0
    }

    /// Adds one complete line.
    mutating func add(
        line bytes: UnsafeBufferPointer<UInt8>, atMS: Int64, now: MonotonicTime
    ) {
        let former = rest
        rest = []
        append(bytes[...])
        endLine(atMS: atMS, now: now)
        rest = former
    }

    private mutating func append(_ part: Slice<UnsafeBufferPointer<UInt8>>) {
        rest.append(contentsOf: part.prefix(max(0, Self.lineBytesMax - rest.count)))
    }

    private mutating func endLine(atMS: Int64, now: MonotonicTime) {
        defer { rest.removeAll(keepingCapacity: true) }
        var bucket = bucket ?? TokenBucket(perSecond: Self.linesPerSecond, at: now)
        let isKept = bucket.take(at: now)
        self.bucket = bucket
        guard isKept else {
            dropped += 1
            unreportedDrops += 1
            return
        }
        add(text(rest), atMS)
    }

    private mutating func add(_ text: String, _ atMS: Int64, dropped: Int = 0) {
        lastNumber += 1
        lastIndex += 1
        lines.append(
            Line(
                number: lastNumber, globalIndex: lastIndex, atMS: atMS, text: text,
                dropped: dropped))
        // Half of the lines are removed at a time, so that not every line moves all others.
        guard lines.count >= 2 * Self.linesMax else { return }
        evictedIndex = lines[Self.linesMax - 1].globalIndex
        lines.removeFirst(Self.linesMax)
    }

    /// Returns a text that is safe for a terminal, and without secrets.
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

    /// Returns the latest kept lines after a number.
    func lines(after number: Int, limit: Int) -> ArraySlice<Line> {
        lines.suffix(min(limit, Self.linesMax)).drop { $0.number <= number }
    }

    /// Returns all kept lines after a global index.
    func lines(afterIndex index: Int) -> ArraySlice<Line> {
        // A binary search, because lagging subscribers call this often.
        var (low, high) = (0, lines.count)
        while low < high {
            let middle = (low + high) / 2
            if lines[middle].globalIndex <= index { low = middle + 1 } else { high = middle }
        }
        return lines[low...]
    }

    /// The last lines of the current, or last, process.
    var tail: [String] {
        lines.suffix(Self.tailLines).filter { $0.number > beginning }
            .map { $0.text.prefix(utf8: Self.tailLineBytes) }
    }
}

extension String {
    /// Returns as many whole characters as fit into `bytesMax` bytes.
    func prefix(utf8 bytesMax: Int) -> String {
        guard utf8.count > bytesMax else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: bytesMax)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
