internal import BrokerSocket

/// Why a scenario does not go on.
enum Stop: Error {
    case failed(String)
    /// It asks for something that this program does not have.
    case notApplicable(String)
    /// There is nothing to check.
    case cannotStart(String)
}

/// One run of the program beside a broker of its own: what a scenario does, and what came of it.
///
/// The broker's clock stands still unless the scenario moves it. The program is a real process: we
/// wait for what it says, up to `patienceMS`.
final class Trial {
    let program: ProviderProgram
    let patienceMS: Int
    let broker = TestBroker()
    /// Everything that went over the wire, and what was done besides.
    private(set) var lines: [String] = []
    private(set) var faults: [(fault: Fault, reason: String, line: Int)] = []
    private(set) var wires: [Wire] = []
    private(set) var errorOutput: [UInt8] = []
    private(set) var process: ChildProgram?
    /// Who speaks for the user.
    private(set) lazy var user = broker.controller()
    /// Prepares each connection before anything goes over it.
    var prepare: (Wire) -> Void = { _ in }

    private let folder: String
    private var watch = ProcessWatch()
    private var listener: Listener?
    private var errorStream: PolledStream?
    private var invented: Set<String> = []
    private var lastNumber = 0

    private static let linesMax = 20_000
    private static let errorBytesMax = 65_536

    /// - Parameter folder: of its own, where its socket may lie.
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

    /// An id that belongs to nobody else. The broker does not know it.
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

    /// Nobody answers there any more.
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
        // It may have registered and be gone again.
        func hasRegistered() -> Bool { wires.contains(where: \.isRegistered) }
        wait(milliseconds) { hasRegistered() || process?.exit != nil }
        if let exit = process?.exit, !hasRegistered() {
            throw Stop.failed("it ended before it had registered: \(exit)")
        }
        guard hasRegistered() else {
            let wire = wires.last
            let refusal = wire?.own.compactMap { $0.reply?["error"]?["message"]?.string }.last
            throw Stop.failed(
                wire?.hasEnded == true
                    ? "it closed its connection before it had registered"
                    : refusal.map { "it did not register: the broker said: \($0)" }
                        ?? "it did not register within \(milliseconds / 1_000) s")
        }
    }

    /// The connection in which it is registered; nil while there is none.
    var provider: Wire? {
        wires.last { $0.isRegistered && !$0.hasEnded && !$0.client.peer.isClosed }
    }

    func wire() throws -> Wire {
        guard let provider else {
            if let exit = process?.exit { throw Stop.failed("it has ended: \(exit)") }
            throw Stop.failed("its connection is closed")
        }
        return provider
    }

    // MARK: - Waiting

    /// Waits for something that the program does, for `patienceMS` unless told otherwise. Whether
    /// it came.
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
            // What it said last is read before it is gone.
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

    /// Waits until the program has read everything that we wrote.
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
        record("#", "\(seconds) s pass by the broker's clock")
        broker.advance(by: .seconds(seconds))
    }

    // MARK: - The end

    /// Whatever it does, it is over now.
    func finish() {
        readAll()
        for wire in wires where !wire.hasEnded { wire.noteRest() }
        process?.signalGroup(.kill)
        process = nil
        wires = []
        stopListening()
    }

    /// Removes what the program left in its folder, one level deep.
    func removeFolder() {
        for name in HostFile.names(inFolder: folder) { HostFile.remove("\(folder)/\(name)") }
        HostFile.removeFolder(folder)
    }

    /// Starts it again, as a supervisor would.
    func startAgain() throws {
        process?.signalGroup(.kill)
        wait { process?.exit != nil }
        wires = []
        try launch()
        try awaitRegistration()
    }

    /// Kills the broker, and starts its successor.
    func restartBroker() throws {
        record("#", "the broker is killed, and its successor goes on")
        do {
            try broker.restart()
        } catch {
            throw Stop.cannotStart("the broker does not come back: \(error)")
        }
        wires = []
        user = broker.controller()
    }

    /// Breaks every connection.
    func breakConnections() {
        record("#", "the broker closes the connection")
        for wire in wires { wire.client.vanish() }
        wires = []
    }
}
