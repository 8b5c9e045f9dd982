import BrokerSocket
import CallStore
import CallerLists
import Glibc

/// A caller directory of so many numbers: what it costs to load, and to look a number up in.
struct DirectoryRun {
    let numbers: Int
    private let lookUps = 1_000_000
    private let store: CallStore
    private let folder: String
    private static let source = "benchmark"

    init(numbers: Int, folder: String) {
        self.numbers = numbers
        self.folder = folder
        store = CallStore(.folder(folder))
    }

    /// Every third number from there on; the labels are as long as those of real lists.
    private func entry(_ index: Int) -> DirectoryEntry {
        DirectoryEntry(
            4_915_000_000_000 + Int64(index) * 3, label: "Shop \(index % 100_000), Exampletown",
            isBlocked: index % 10 == 0)
    }

    func measure() throws(StoreError) {
        try store.open()
        let empty = HostMemory.residentKiB
        var peak = empty
        let clock = Stopwatch()
        try load { peak = max(peak, HostMemory.residentKiB) }
        let loading = clock.elapsed
        let size = bytesOnDisk
        row("load, s", loading.seconds, must: 30, stretch: 10)
        row("load, s of this process", loading.cpuSeconds, must: 30, stretch: 10)
        row("resident while loading, MB", Double(peak) / 1024, must: 64, stretch: 64)
        try lookUp("a number that is there", every: 3)
        try lookUp("a number that is not", every: 3, offset: 1)
        row("resident afterwards, MB", Double(HostMemory.residentKiB) / 1024, must: 64, stretch: 64)
        print("| file, MB | \(size >> 20) | | |")
        print("| resident with an empty store, MB | \(one(Double(empty) / 1024)) | | |")
        try replace()
        store.shut()
    }

    private func load(_ look: () -> Void) throws(StoreError) {
        try store.beginDirectory(Self.source, generation: 1)
        var first = 0
        while first < numbers {
            let batch = (first..<min(numbers, first + 500)).map { entry($0) }
            try store.putDirectory(batch, Self.source, generation: 1)
            first += batch.count
            if first % 100_000 == 0 { look() }
        }
        try store.finishDirectory(Self.source, generation: 1)
        look()
    }

    /// In no order, as callers come.
    private func lookUp(_ what: String, every step: Int64, offset: Int64 = 0) throws(StoreError) {
        var random = SystemRandomNumberGenerator()
        let wanted = (0..<lookUps).map { _ in
            4_915_000_000_000 + offset + Int64.random(in: 0..<Int64(numbers), using: &random) * step
        }
        var found = 0
        let clock = Stopwatch()
        for number in wanted {
            try store.directoryFacts(of: number) { _, _, _ in found += 1 }
        }
        let took = clock.elapsed
        precondition(found == (offset == 0 ? lookUps : 0), "\(found) of \(lookUps) were found")
        row("\(what), us", took.seconds * 1e6 / Double(lookUps), must: 5, stretch: 2)
        let each = took.cpuSeconds * 1e6 / Double(lookUps)
        row("\(what), us of this process", each, must: 5, stretch: 2)
    }

    /// How long everybody else waits while a generation takes the place of another.
    private func replace() throws(StoreError) {
        try store.beginDirectory(Self.source, generation: 2)
        try store.putDirectory([entry(0)], Self.source, generation: 2)
        let clock = Stopwatch()
        try store.finishDirectory(Self.source, generation: 2)
        print("| a generation takes its place, ms | \(one(clock.elapsed.seconds * 1000)) | | |")
    }

    /// A file that holds the same, as the tool reads it.
    func measureList(_ form: CallerListReader.Form, _ name: String) throws(CallerListError) {
        var reader = CallerListReader(form, region: nil)
        var count = 0
        var seconds = 0.0
        for first in stride(from: 0, to: numbers, by: 1_000) {
            let piece = (first..<min(numbers, first + 1_000)).map { line(entry($0), form) }
                .joined()
            let bytes = Array(piece.utf8)
            let clock = Stopwatch()
            try reader.read(bytes[...]) { _ in count += 1 }
            seconds += clock.elapsed.cpuSeconds
        }
        precondition(count == numbers, "\(count) of \(numbers) were read")
        row("a list is read, \(name), s of this process", seconds, must: 30, stretch: 10)
    }

    private func line(_ entry: DirectoryEntry, _ form: CallerListReader.Form) -> String {
        let label = entry.label ?? ""
        return switch form {
        case .csv: "+\(entry.number),\"\(label)\",\(entry.isBlocked)\n"
        case .ndjson:
            "{\"number\":\"+\(entry.number)\",\"label\":\"\(label)\",\"blocked\":\(entry.isBlocked)}\n"
        }
    }

    private func row(_ name: String, _ value: Double, must: Double, stretch: Double) {
        print("| \(name) | \(one(value)) | \(one(value / must)) x | \(one(value / stretch)) x |")
    }

    private func one(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    private var bytesOnDisk: Int {
        HostFile.names(inFolder: folder).reduce(0) { sum, name in
            var status = stat()
            return stat("\(folder)/\(name)", &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }
}

/// Time that passes, and time that this process has.
struct Stopwatch {
    private let start = MonotonicTime.now()
    private let startOfProcess = Self.processNanoseconds

    var elapsed: (seconds: Double, cpuSeconds: Double) {
        let wall = MonotonicTime.now().nanoseconds - start.nanoseconds
        return (Double(wall) / 1e9, Double(Self.processNanoseconds - startOfProcess) / 1e9)
    }

    private static var processNanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

enum HostMemory {
    /// What of this process is in memory.
    static var residentKiB: Int {
        guard let bytes = try? HostFile.read("/proc/self/statm", bytesMax: 4_096) else { return 0 }
        let pages = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return (Int(pages.dropFirst().first ?? "") ?? 0) * 4
    }
}
