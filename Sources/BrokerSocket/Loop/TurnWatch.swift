internal import CLinux
internal import Glibc
internal import Synchronization

/// A thread that detects a loop stuck in a turn, and reports where: a service manager's watchdog,
/// which ends a daemon that hangs, reports no place.
///
/// An idle loop is not watched, and costs no wake-ups.
package final class TurnWatch: Sendable {
    /// The duration after which a turn is reported, once.
    package static let hangMS = 2_000
    private static let checkMS = 500
    /// The number of checks without a turn after which the thread sleeps.
    private static let idleChecksMax = 4

    /// The start of the current turn, in nanoseconds; 0 between turns.
    private let began = Atomic<Int64>(0)
    private let isAwake = Atomic<Bool>(false)
    private let work: Wakeup
    /// The watched thread.
    private let loop = pthread_self()
    private let report: @Sendable ([String]) -> Void

    /// Watches the calling thread.
    ///
    /// - Parameter report: Called on the watching thread with the stack of the loop, innermost
    ///   frame first.
    package init(report: @escaping @Sendable ([String]) -> Void) throws(SocketError) {
        self.report = report
        work = try Wakeup()
        try HostThread.start { [self] in run() }
    }

    package func beginTurn(at now: MonotonicTime) {
        began.store(now.nanoseconds, ordering: .relaxed)
        guard !isAwake.load(ordering: .relaxed) else { return }
        isAwake.store(true, ordering: .relaxed)
        work.signal()
    }

    package func endTurn() {
        began.store(0, ordering: .relaxed)
    }

    // MARK: - Its thread

    private func run() {
        let stack = HostStack(of: loop)
        while true {
            work.wait()
            watch(stack)
            isAwake.store(false, ordering: .sequentiallyConsistent)
        }
    }

    /// Checks the turns until there have been none for a while.
    private func watch(_ stack: HostStack) {
        var idleChecks = 0
        var reported: Int64 = 0
        while idleChecks < Self.idleChecksMax {
            HostProcess.pause(milliseconds: Self.checkMS)
            let began = began.load(ordering: .sequentiallyConsistent)
            idleChecks = began == 0 ? idleChecks + 1 : 0
            let ageMS = (MonotonicTime.now().nanoseconds - began) / 1_000_000
            guard began != 0, began != reported, ageMS >= Self.hangMS else { continue }
            reported = began
            report(stack.frames())
        }
    }
}

/// The stack of a thread, captured for another thread. Its memory is never freed.
private struct HostStack {
    private let thread: pthread_t
    /// The frames, written by the watched thread and read by the one that requested them.
    private let stack: UnsafeMutablePointer<linux_stack>

    init(of thread: pthread_t) {
        self.thread = thread
        stack = .allocate(capacity: 1)
        stack.initialize(to: linux_stack())
        linux_allow_stack_capture()
    }

    /// Captures the program's frames, innermost first, as offsets for addr2line, with the
    /// function's name where known; empty if the thread does not respond, as in an uninterruptible
    /// system call.
    func frames() -> [String] {
        guard linux_ask_for_stack(thread, stack) == 0, isAnswered() else { return [] }
        let count = stack.pointee.count
        return withUnsafePointer(to: &stack.pointee.frames) { frames in
            frames.withMemoryRebound(
                to: UnsafeMutableRawPointer?.self, capacity: LINUX_STACK_MAX
            ) { Self.describe($0, count: count) }
        }
    }

    private func isAnswered() -> Bool {
        for _ in 0..<20 {
            if linux_has_stack(stack) != 0 { return true }
            HostProcess.pause(milliseconds: 10)
        }
        return false
    }

    private static func describe(
        _ frames: UnsafePointer<UnsafeMutableRawPointer?>, count: Int32
    ) -> [String] {
        guard let texts = backtrace_symbols(frames, count) else { return [] }
        defer { free(texts) }
        return (0..<Int(count)).compactMap { texts[$0] }.map { text in
            // Only the name of the file matters, not its folder.
            String(cString: text).split(separator: "/").last.map(String.init) ?? ""
        }
    }
}
