internal import Glibc
internal import Synchronization

/// A writer of lines with a thread of its own, so that no caller waits for a terminal or a pipe
/// that is not read.
///
/// Lines beyond the limit are dropped. Once there is room again, one line reports their number.
package final class LineWriter: Sendable {
    /// The maximum number of pending bytes; as many again may be in a write.
    package static let bytesMax = 262_144

    private struct State {
        var pending: [UInt8] = []
        var droppedLines = 0
        var isWriting = false
    }

    private let descriptor: Int32
    private let state = Mutex(State())
    private let work: Wakeup
    private let rest: Wakeup

    /// - Parameter descriptor: Stays open as long as the writer.
    package init(to descriptor: Int32 = STDERR_FILENO) throws(SocketError) {
        self.descriptor = descriptor
        work = try Wakeup()
        rest = try Wakeup()
        try HostThread.start { [self] in run() }
    }

    /// The number of dropped lines that have not been reported yet.
    package var droppedLines: Int {
        state.withLock { $0.droppedLines }
    }

    /// Queues a line, and returns at once.
    ///
    /// - Parameter line: The text with its newline.
    package func write(_ line: String) {
        let mustWake = state.withLock { state in
            guard state.droppedLines == 0, state.pending.count + line.utf8.count <= Self.bytesMax
            else {
                state.droppedLines += 1
                return false
            }
            defer { state.pending.append(contentsOf: line.utf8) }
            return state.pending.isEmpty && !state.isWriting
        }
        if mustWake { work.signal() }
    }

    /// Waits until everything is written, up to the time limit: the other end may never read.
    package func flush(withinMS milliseconds: Int) {
        let end = MonotonicTime.now().advanced(milliseconds: milliseconds)
        while state.withLock({ $0.isWriting || !$0.pending.isEmpty }) {
            let leftMS = end.milliseconds - MonotonicTime.now().milliseconds
            guard leftMS > 0 else { return }
            rest.wait(atMostMS: Int(leftMS))
        }
    }

    // MARK: - Its thread

    private func run() {
        while true {
            while let lines = next() { writeAll(lines[...]) }
            rest.signal()
            work.wait()
        }
    }

    /// Takes all pending lines; nil if there are none.
    private func next() -> [UInt8]? {
        state.withLock { state in
            var lines: [UInt8] = []
            swap(&lines, &state.pending)
            if state.droppedLines > 0 {
                lines += Array("callbroker: \(Self.notice(state.droppedLines))\n".utf8)
                state.droppedLines = 0
            }
            state.isWriting = !lines.isEmpty
            return lines.isEmpty ? nil : lines
        }
    }

    private static func notice(_ count: Int) -> String {
        let lines = count == 1 ? "1 line" : "\(count) lines"
        return "dropped \(lines) of the log: standard error was not read"
    }

    /// Writes the lines. Errors are ignored, as there is nowhere to report them.
    private func writeAll(_ lines: ArraySlice<UInt8>) {
        var lines = lines
        while !lines.isEmpty {
            let count = lines.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                lines = lines.dropFirst(count)
            } else if errno == EAGAIN {
                waitForRoom()
            } else if errno != EINTR {
                return
            }
        }
    }

    /// Waits for room in a descriptor that another process has made non-blocking.
    private func waitForRoom() {
        var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&event, 1, -1)
    }
}
