internal import Glibc
internal import Synchronization

/// Writes lines to a descriptor from a thread of its own: nobody who has something to log waits for a
/// terminal or a pipe that is not read.
///
/// Lines beyond the bound are left out. Once there is room again, one line says how many they were.
package final class LineWriter: Sendable {
    /// Bytes that wait at most; as many again may be on their way.
    package static let bytesMax = 262_144

    private struct State {
        var waiting: [UInt8] = []
        var leftOut = 0
        var isWriting = false
    }

    private let descriptor: Int32
    private let state = Mutex(State())
    private let work: Wakeup
    private let rest: Wakeup

    /// - Parameter descriptor: stays open as long as this object.
    package init(to descriptor: Int32 = STDERR_FILENO) throws(SocketError) {
        self.descriptor = descriptor
        work = try Wakeup()
        rest = try Wakeup()
        try HostThread.start { [self] in run() }
    }

    /// How many lines were left out and not told of yet.
    package var leftOut: Int {
        state.withLock { $0.leftOut }
    }

    /// Returns at once.
    ///
    /// - Parameter line: with its newline.
    package func write(_ line: String) {
        let mustWake = state.withLock { state in
            guard state.leftOut == 0, state.waiting.count + line.utf8.count <= Self.bytesMax else {
                state.leftOut += 1
                return false
            }
            defer { state.waiting.append(contentsOf: line.utf8) }
            return state.waiting.isEmpty && !state.isWriting
        }
        if mustWake { work.signal() }
    }

    /// Waits until everything is written, but not for long: the reader may never come.
    package func flush(withinMS milliseconds: Int) {
        let end = MonotonicTime.now().advanced(milliseconds: milliseconds)
        while state.withLock({ $0.isWriting || !$0.waiting.isEmpty }) {
            let leftMS = end.milliseconds - MonotonicTime.now().milliseconds
            guard leftMS > 0 else { return }
            rest.wait(atMostMS: Int(leftMS))
        }
    }

    // MARK: - Its thread

    private func run() {
        while true {
            while let lines = next() { put(lines[...]) }
            rest.signal()
            work.wait()
        }
    }

    /// All that waits; nil if nothing does.
    private func next() -> [UInt8]? {
        state.withLock { state in
            var lines: [UInt8] = []
            swap(&lines, &state.waiting)
            if state.leftOut > 0 {
                lines += Array("callbroker: \(Self.notice(state.leftOut))\n".utf8)
                state.leftOut = 0
            }
            state.isWriting = !lines.isEmpty
            return lines.isEmpty ? nil : lines
        }
    }

    private static func notice(_ count: Int) -> String {
        let lines = count == 1 ? "1 line was" : "\(count) lines were"
        return "\(lines) left out of the log: standard error was not read"
    }

    /// What cannot be written is lost: there is nobody to tell.
    private func put(_ lines: ArraySlice<UInt8>) {
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

    /// Somebody has made the descriptor one that does not block.
    private func waitForRoom() {
        var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&event, 1, -1)
    }
}
