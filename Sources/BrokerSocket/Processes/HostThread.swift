internal import Glibc

/// Threads beside the main one.
package enum HostThread {
    /// Runs `work` on a new thread, which ends with it. Signals that end the program are blocked on
    /// it.
    package static func start(_ work: @escaping @Sendable () -> Void) throws(SocketError) {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Work(run: work))
        let code = HostProcess.blockingTerminationSignals {
            pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, box.toOpaque())
        }
        guard code == 0 else {
            box.release()
            throw .system("cannot start a thread", code)
        }
        pthread_detach(thread)
    }

    /// Lets other threads of this processor run first. For work that takes a processor for long: where
    /// the loop shares it, it would wait for the next tick of the scheduler.
    package static func yield() {
        sched_yield()
    }

    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
