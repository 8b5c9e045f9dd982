internal import CLinux
internal import Glibc
internal import Synchronization

/// A thread that notices when the loop hangs in a turn, and says where: a service manager's watchdog, which
/// ends a daemon that hangs, does not know.
///
/// A loop that has nothing to do is not watched, and costs no wake-up.
package final class TurnWatch: Sendable {
    /// A turn that has taken so long is reported, once.
    package static let hangMS = 2_000
    private static let checkMS = 500
    /// Checks without a turn after which the thread sleeps.
    private static let idleChecksMax = 4

    /// When the turn that goes on began, in nanoseconds; 0 if none does.
    private let began = Atomic<Int64>(0)
    private let isAwake = Atomic<Bool>(false)
    private let work: Wakeup
    /// The thread that is watched.
    private let loop = pthread_self()
    private let report: @Sendable ([String]) -> Void

    /// Watches the thread that calls this.
    ///
    /// - Parameter report: called on the watching thread, with the stack of the loop, innermost first.
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

    /// Until there has been nothing to watch for a while.
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

/// The stack of a thread, for another one to look at. Its memory is never given back.
private struct HostStack {
    private let thread: pthread_t
    /// Written by the thread, read by the one that has asked it.
    private let stack: UnsafeMutablePointer<linux_stack>

    init(of thread: pthread_t) {
        self.thread = thread
        stack = .allocate(capacity: 1)
        stack.initialize(to: linux_stack())
        linux_allow_stack_capture()
    }

    /// Places in the program, innermost first, as offsets for addr2line, with the name of the function where
    /// there is one; empty if the thread does not answer: it is in the kernel, and cannot be interrupted.
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
            // The folders in front say nothing.
            String(cString: text).split(separator: "/").last.map(String.init) ?? ""
        }
    }
}
