/// A binary heap of deadlines. The first entry has the earliest deadline, and among equal ones the
/// lowest number.
@usableFromInline
struct DeadlineHeap {
    @usableFromInline
    struct Entry {
        @usableFromInline let deadline: MonotonicTime
        @usableFromInline let number: UInt64

        @usableFromInline init(deadline: MonotonicTime, number: UInt64) {
            self.deadline = deadline
            self.number = number
        }

        fileprivate func isBefore(_ other: Entry) -> Bool {
            (deadline.nanoseconds, number) < (other.deadline.nanoseconds, other.number)
        }
    }

    private var entries: [Entry] = []

    @usableFromInline init() {}

    @usableFromInline var count: Int {
        entries.count
    }

    @usableFromInline var first: Entry? {
        entries.first
    }

    @usableFromInline mutating func insert(_ entry: Entry) {
        entries.append(entry)
        siftUp(from: entries.count - 1)
    }

    @usableFromInline mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        siftDown(from: 0)
    }

    /// Retains only the entries whose number is wanted.
    @usableFromInline mutating func retain(_ isWanted: (UInt64) -> Bool) {
        entries.removeAll { !isWanted($0.number) }
        for index in stride(from: entries.count / 2, through: 0, by: -1) { siftDown(from: index) }
    }

    private mutating func siftUp(from start: Int) {
        var child = start
        while child > 0, entries[child].isBefore(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func siftDown(from start: Int) {
        var parent = start
        while true {
            let least = leastChild(of: parent)
            if least == parent { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }

    /// Returns the index of the earliest of an entry and its two children.
    private func leastChild(of parent: Int) -> Int {
        let left = 2 * parent + 1
        let right = left + 1
        var least = parent
        if left < entries.count, entries[left].isBefore(entries[least]) { least = left }
        if right < entries.count, entries[right].isBefore(entries[least]) { least = right }
        return least
    }
}
