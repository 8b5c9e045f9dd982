internal import Glibc
internal import Synchronization

/// What tasks leave for the loop of the screen, which owns the model and the terminal. A byte in a pipe
/// wakes the loop.
final class Inbox: Sendable {
    typealias Work = @Sendable (Screen) -> Void

    private let work = Mutex<[Work]>([])
    /// The end of the pipe that the loop waits for.
    let reading: Int32
    /// The end for tasks, and for handlers of signals.
    let writing: Int32

    init() {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            fatalError("the system has no pipe left for the screen's loop")
        }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    /// Runs `work` in the loop.
    func post(_ work: @escaping Work) {
        self.work.withLock { $0.append(work) }
        var byte: UInt8 = 0
        // A full pipe wakes the loop as well.
        _ = write(writing, &byte, 1)
    }

    /// Returns what was posted, and empties the pipe. True if a signal asks for the end.
    func takeAll() -> (work: [Work], isEnd: Bool) {
        var bytes = [UInt8](repeating: 0, count: 256)
        var isEnd = false
        while true {
            let count = read(reading, &bytes, bytes.count)
            guard count > 0 else { break }
            isEnd = isEnd || bytes.prefix(count).contains(Signals.end)
        }
        let all = work.withLock { work in
            defer { work = [] }
            return work
        }
        return (all, isEnd)
    }
}
