/// The horizontal axis: places of times. Long times in which nothing happens are folded.
struct TimeScale {
    /// A stretch of time that is drawn to scale.
    private struct Stretch {
        let fromMS: Int64
        let toMS: Int64
        var x = 0
        var width = 0
    }

    /// A time that is left out.
    struct Fold: Equatable {
        let x: Int
        let ms: Int64
    }

    struct Tick: Equatable {
        let x: Int
        /// The text; nil if it would overlap another.
        let label: String?
    }

    static let foldWidth = 40
    /// The least distance of ticks.
    private static let tickWidth: Int64 = 90

    private var stretches: [Stretch]
    private let startMS: Int64
    private let stepMS: Int64
    private let right: Int

    /// - Parameters:
    ///   - periods: the times in which there are calls.
    ///   - moments: the times at which something happens to them.
    ///   - x: the left end of the axis, in pixels.
    ///   - width: the length of the axis, in pixels.
    init(
        _ periods: [(fromMS: Int64, toMS: Int64)], moments: [Int64] = [], x: Int, width: Int
    ) {
        let gaps = TimeGaps(periods, moments, width: width)
        stretches = gaps.stretches.map { Stretch(fromMS: $0.fromMS, toMS: $0.toMS) }
        startMS = stretches.first?.fromMS ?? 0
        right = x + width
        let totalMS = max(1, stretches.reduce(0) { $0 + $1.toMS - $1.fromMS })
        let room = Int64(width - (stretches.count - 1) * Self.foldWidth)
        stepMS = Self.step(atLeast: (totalMS * Self.tickWidth + room - 1) / room)
        var place = x
        for index in stretches.indices {
            let lengthMS = stretches[index].toMS - stretches[index].fromMS
            stretches[index].x = place
            stretches[index].width = Int(lengthMS * room / totalMS)
            place += stretches[index].width + Self.foldWidth
        }
    }

    func x(_ atMS: Int64) -> Int {
        guard let stretch = stretches.last(where: { $0.fromMS <= atMS }) ?? stretches.first else {
            return right
        }
        let lengthMS = max(1, stretch.toMS - stretch.fromMS)
        let offsetMS = min(max(atMS - stretch.fromMS, 0), lengthMS)
        return stretch.x + Int(offsetMS * Int64(stretch.width) / lengthMS)
    }

    var folds: [Fold] {
        zip(stretches, stretches.dropFirst()).map { before, after in
            Fold(x: before.x + before.width, ms: after.fromMS - before.toMS)
        }
    }

    /// The ticks: where a stretch begins, and at whole steps.
    var ticks: [Tick] {
        var (ticks, end): ([Tick], Int) = ([], .min)
        for stretch in stretches {
            let offsetMS = stretch.fromMS - startMS
            let first = (offsetMS / stepMS + 1) * stepMS
            let whole = stride(from: first, through: stretch.toMS - startMS, by: Int(stepMS))
            for atMS in [offsetMS] + Array(whole) {
                let x = x(startMS + atMS)
                // Nobody reads the milliseconds at which a stretch of hours begins.
                let label = TimeText.offset(stepMS >= 1_000 ? atMS / 1_000 * 1_000 : atMS)
                let fits = x >= end && x + TextWidth.small(label) <= right + 20
                if fits { end = x + TextWidth.small(label) + 12 }
                ticks.append(Tick(x: x, label: fits ? label : nil))
            }
        }
        return ticks
    }

    /// Returns the least step for people that is long enough: 1, 2 or 5 times a power of ten
    /// milliseconds, or a number of seconds, minutes, hours or days.
    private static func step(atLeast leastMS: Int64) -> Int64 {
        let units: [(Int64, [Int64])] = [
            (1, [1, 2, 5, 10, 20, 50, 100, 200, 500]), (1_000, [1, 2, 5, 10, 15, 30]),
            (60_000, [1, 2, 5, 10, 15, 30]), (3_600_000, [1, 2, 3, 6, 12]),
        ]
        for (unit, counts) in units {
            if let count = counts.first(where: { $0 * unit >= leastMS }) { return count * unit }
        }
        let dayMS: Int64 = 86_400_000
        return (leastMS + dayMS - 1) / dayMS * dayMS
    }
}

/// Times in pictures.
enum TimeText {
    /// Returns the time since the beginning: `340 ms` is `0.34 s`, and minutes are `1:05`.
    static func offset(_ ms: Int64) -> String {
        let (seconds, rest) = (ms / 1_000, ms % 1_000)
        var fraction = String(1_000 + rest).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        let tail = fraction.isEmpty ? "" : "." + fraction
        guard seconds >= 60 else { return "\(seconds)\(tail) s" }
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        let head = hours > 0 ? "\(hours):\(padded(minutes))" : "\(minutes)"
        return "\(head):\(padded(seconds % 60))\(tail)"
    }

    /// Returns a duration, whose milliseconds are shown while they matter.
    static func duration(_ ms: Int64) -> String {
        switch ms {
        case ..<1_000: "\(ms) ms"
        case ..<10_000: offset(ms / 100 * 100)
        default: offset(ms / 1_000 * 1_000)
        }
    }

    private static func padded(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}

/// The width of text, estimated: a picture does not know the fonts of its reader.
enum TextWidth {
    /// Returns the width of text in the size of bars and ticks, in pixels.
    static func small(_ text: String) -> Int {
        text.cells * 13 / 2 + 2
    }
}
