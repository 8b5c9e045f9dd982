/// Looks up who is at the other end of connections, on threads of its own: the file system of a
/// sandbox may never respond. All methods are called on the loop's thread.
package final class PeerLookup {
    /// A reading of a file in the root of a sandbox.
    private final class Reading {
        let peer: PeerHandle
        /// What is known without the file.
        let process: PeerProcess
        let since: MonotonicTime
        let then: (PeerProcess) -> Void
        var isOver = false

        init(
            of peer: PeerHandle, _ process: PeerProcess, since: MonotonicTime,
            then: @escaping (PeerProcess) -> Void
        ) {
            self.peer = peer
            self.process = process
            self.since = since
            self.then = then
        }
    }

    /// Returns what the kernel says about a process.
    private let describe: @Sendable (PeerHandle) -> PeerProcess
    /// Returns the id of the Flatpak of a process, from a file that the process may control.
    private let readFlatpak: @Sendable (PeerHandle) -> String?
    private let loop: Wakeup
    private let kernel: DiskThread
    /// The thread for files in the roots of sandboxes.
    private var files: DiskThread
    /// Threads for such files that did not respond in time, until they do.
    private var hanging: [DiskThread] = []
    private var readings: [Reading] = []

    /// The maximum number of threads that hang. Beyond it no such file is read.
    private static let hangingMax = 8
    private static let readingsMax = 64
    /// The time in which a file has to be read.
    package static let limitMS = 1_000

    /// - Parameter loop: Wakes the loop that calls `settle`.
    package convenience init(_ reader: ProcessReader, wakes loop: Wakeup) throws(SocketError) {
        try self.init(
            describe: { reader.process(of: $0) }, readFlatpak: { reader.flatpak(of: $0) },
            wakes: loop)
    }

    init(
        describe: @escaping @Sendable (PeerHandle) -> PeerProcess,
        readFlatpak: @escaping @Sendable (PeerHandle) -> String?, wakes loop: Wakeup
    ) throws(SocketError) {
        self.describe = describe
        self.readFlatpak = readFlatpak
        self.loop = loop
        kernel = try DiskThread(wakes: loop)
        files = try DiskThread(wakes: loop)
    }

    /// Looks up the process of a connection. `settle` or `giveUp` passes it to `then`.
    package func find(
        _ connection: Connection, at now: MonotonicTime, then: @escaping (PeerProcess) -> Void
    ) {
        let (describe, peer) = (describe, connection.openPeer())
        kernel.submit({ describe(peer) }) { [weak self] result in
            let process = (try? result.get()) ?? .unknown
            guard let self, process.sandbox == .other, hanging.count < Self.hangingMax,
                readings.count < Self.readingsMax
            else { return then(process) }
            let reading = Reading(of: peer, process, since: now, then: then)
            readings.append(reading)
            read(reading)
        }
    }

    private func read(_ reading: Reading) {
        let (readFlatpak, peer) = (readFlatpak, reading.peer)
        files.submit({ readFlatpak(peer) }) { [weak self] result in
            self?.finish(reading, flatpak: (try? result.get()) ?? nil)
        }
    }

    private func finish(_ reading: Reading, flatpak: String?) {
        guard !reading.isOver else { return }
        reading.isOver = true
        readings.removeAll { $0 === reading }
        var process = reading.process
        if let flatpak { (process.sandbox, process.app) = (.flatpak, flatpak) }
        reading.then(process)
    }

    /// Passes on the results that there are.
    package func settle() {
        kernel.settle()
        files.settle()
        for thread in hanging { thread.settle() }
        hanging.removeAll { $0.isIdle }
    }

    /// Gives up on files that have not been read in time: their processes are passed on without
    /// what is in them. The thread that hangs is left behind, and the others are read by a new one.
    package func giveUp(at now: MonotonicTime) {
        settle()
        let late = readings.filter { $0.since.advanced(milliseconds: Self.limitMS) <= now }
        guard !late.isEmpty else { return }
        if let thread = try? DiskThread(wakes: loop) {
            hanging.append(files)
            files = thread
        }
        for reading in late { finish(reading, flatpak: nil) }
        for reading in readings { read(reading) }
    }
}
