internal import BrokerSocket

/// The reason why a scenario stops.
enum Stop: Error {
    case failed(String)
    /// The scenario needs something that this program does not have.
    case notApplicable(String)
    /// The program cannot be started.
    case cannotStart(String)
}

/// One run of the program with a broker of its own: the steps of a scenario, and the record of the
/// frames.
///
/// The broker's clock stands still unless the scenario moves it. The program is a real process,
/// which has up to `patienceMS` of real time for each step.
final class ConformanceRun {
    let program: ProviderProgram
    let patienceMS: Int
    let broker = TestBroker()
    /// The frames in both directions, and notes about other actions.
    private(set) var lines: [String] = []
    private(set) var faults: [(fault: Fault, reason: String, line: Int)] = []
    private(set) var wires: [Wire] = []
    private(set) var errorOutput: [UInt8] = []
    private(set) var process: ChildProgram?
    /// The client that acts for the user.
    private(set) lazy var user = broker.controller()
    /// Called with each connection before a frame is sent over it.
    var prepare: (Wire) -> Void = { _ in }

    private let folder: String
    private var watch = ProcessWatch()
    private var listener: Listener?
    private var errorStream: PolledStream?
    private var invented: Set<String> = []
    private var lastNumber = 0

    private static let linesMax = 20_000
    private static let errorBytesMax = 65_536

    /// - Parameter folder: an empty folder for the socket.
    init(_ program: ProviderProgram, in folder: String, patienceMS: Int) {
        self.program = program
        self.folder = folder
        self.patienceMS = patienceMS
    }

    // MARK: - The record

    func record(_ mark: String, _ text: String) {
        if lines.count < Self.linesMax { lines.append("\(mark) \(text)") }
    }

    func note(_ fault: Fault, _ reason: String) {
        faults.append((fault, reason, lines.count))
    }

    /// Returns a fresh id that the broker does not have.
    func newID() -> String {
        lastNumber += 1
        let digits = String(lastNumber, radix: 16)
        let id =
            "c0ffee00-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        invented.insert(id)
        return id
    }

    func isInvented(_ call: String) -> Bool {
        invented.contains(call)
    }

    // MARK: - Starting

    /// Starts the program and waits until it has registered.
    func begin() throws {
        try listen()
        try launch()
        try awaitRegistration()
    }

    var socketPath: String {
        folder + "/broker.sock"
    }

    func listen() throws {
        listener?.shutDown()
        do throws(SocketError) {
            listener = try Listener(path: socketPath)
        } catch {
            throw Stop.cannotStart("\(error)")
        }
    }

    /// Stops listening, so that connections are refused.
    func stopListening() {
        listener?.shutDown()
        listener = nil
    }

    var environment: [String: String] {
        program.environment.merging([
            "BROKER_SOCKET": socketPath, "XDG_RUNTIME_DIR": folder,
        ]) { $1 }
    }

    func launch() throws {
        watch = ProcessWatch()
        do throws(SocketError) {
            let started = try program.start(environment: environment)
            process = started.process
            errorStream = started.log
            if let stream = started.stream { adopt(stream, isPlainOutput: true) }
        } catch {
            throw Stop.cannotStart("\(error)")
        }
    }

    private func adopt(_ stream: PolledStream, isPlainOutput: Bool) {
        let client = Client(
            "program", of: broker, process: watch, plugin: program.plugin, isRecorded: false)
        let wire = Wire(stream, client, of: self, isPlainOutput: isPlainOutput)
        prepare(wire)
        wires.append(wire)
    }

    func awaitRegistration() throws {
        let milliseconds = max(10_000, patienceMS)
        if program.isImplicit, let wire = wires.last {
            wire.registerImplicitly(
                program.identity ?? "org.example.checked", program.registration ?? .object([]))
        }
        // The program may have registered and ended again.
        func hasRegistered() -> Bool { wires.contains(where: \.isRegistered) }
        wait(milliseconds) { hasRegistered() || process?.exit != nil }
        if let exit = process?.exit, !hasRegistered() {
            throw Stop.failed("the program ended before it registered: \(exit)")
        }
        guard hasRegistered() else {
            let wire = wires.last
            let refusal = wire?.own.compactMap { $0.reply?["error"]?["message"]?.string }.last
            throw Stop.failed(
                wire?.hasEnded == true
                    ? "the program closed its connection before it registered"
                    : refusal.map { "the program did not register: the broker replied: \($0)" }
                        ?? "the program did not register within \(milliseconds / 1_000) s")
        }
    }

    /// The connection on which the program is registered; nil without one.
    var provider: Wire? {
        wires.last { $0.isRegistered && !$0.hasEnded && !$0.client.peer.isClosed }
    }

    func wire() throws -> Wire {
        guard let provider else {
            if let exit = process?.exit { throw Stop.failed("the program has ended: \(exit)") }
            throw Stop.failed("the connection of the program is closed")
        }
        return provider
    }

    // MARK: - Waiting

    /// Waits until a condition holds, for `patienceMS` by default. Returns whether it holds.
    @discardableResult
    func wait(_ milliseconds: Int? = nil, until isDone: () -> Bool) -> Bool {
        let deadline = MonotonicTime.now().advanced(milliseconds: milliseconds ?? patienceMS)
        readAll()
        while !isDone() {
            let rest = deadline.milliseconds - MonotonicTime.now().milliseconds
            guard rest > 0 else { return false }
            let isSending = wires.contains(where: \.hasUnsent)
            PolledStream.wait(
                for: descriptors, milliseconds: isSending ? min(5, Int(rest)) : Int(rest))
            readAll()
        }
        return true
    }

    private var descriptors: [Int32] {
        var all = wires.filter { !$0.hasEnded }.map(\.stream.descriptor)
        if let listener { all.append(listener.descriptor) }
        if let errorStream { all.append(errorStream.descriptor) }
        if let process, process.exit == nil { all.append(process.exitDescriptor) }
        return all
    }

    private func readAll() {
        if let listener {
            while let stream = PolledStream.accepted(from: listener) {
                record("#", "the program connects")
                adopt(stream, isPlainOutput: false)
            }
        }
        readErrors()
        for wire in wires {
            wire.send()
            if wire.receive() { broker.settle() }
            wire.hangUpIfClosed()
        }
        if let process, process.exit == nil, let exit = process.reap() {
            // Its last frames are read before its exit is reported.
            for wire in wires { while wire.receive() { broker.settle() } }
            record("#", "the program has ended: \(exit)")
            broker.host.exit(watch)
            broker.settle()
        }
    }

    private func readErrors() {
        guard let stream = errorStream else { return }
        while true {
            switch stream.read() {
            case .bytes(let bytes):
                errorOutput += bytes
                if errorOutput.count > Self.errorBytesMax {
                    errorOutput.removeFirst(errorOutput.count - Self.errorBytesMax)
                }
            case .nothing: return
            case .end: return errorStream = nil
            }
        }
    }

    /// Waits until the program has read everything that was written.
    func waitUntilRead(_ wire: Wire) {
        let deadline = MonotonicTime.now().advanced(milliseconds: patienceMS)
        while wire.hasUnsent || !wire.stream.isRead, MonotonicTime.now() < deadline {
            if process?.reap() != nil { return }
            wire.send()
            HostProcess.pause(milliseconds: 0)
        }
    }

    /// Moves the broker's clock.
    func advance(seconds: Int) {
        record("#", "the broker's clock advances by \(seconds) s")
        broker.advance(by: .seconds(seconds))
    }

    // MARK: - The end

    /// Kills the program, and closes the connections.
    func finish() {
        readAll()
        for wire in wires where !wire.hasEnded { wire.recordRest() }
        process?.signalGroup(.kill)
        process = nil
        wires = []
        stopListening()
    }

    /// Removes the files that the program left in its folder, one level deep.
    func removeFolder() {
        for name in HostFile.names(inFolder: folder) { HostFile.remove("\(folder)/\(name)") }
        HostFile.removeFolder(folder)
    }

    /// Restarts the program, as a supervisor would.
    func restartProgram() throws {
        process?.signalGroup(.kill)
        wait { process?.exit != nil }
        wires = []
        try launch()
        try awaitRegistration()
    }

    /// Kills the broker, and starts another one from its journal.
    func restartBroker() throws {
        record("#", "the broker is killed and restarted")
        do {
            try broker.restart()
        } catch {
            throw Stop.cannotStart("the broker cannot be restarted: \(error)")
        }
        wires = []
        user = broker.controller()
    }

    /// Closes all connections without a goodbye.
    func breakConnections() {
        record("#", "the broker closes the connection")
        for wire in wires { wire.client.vanish() }
        wires = []
    }
}
