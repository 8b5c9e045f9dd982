internal import BrokerSocket
internal import CallBroker
internal import CallModel

/// The failure of a scenario.
package struct ScenarioFailure: Error, Equatable, Sendable {
    package let line: Int
    /// The expectation that was not met.
    package let expected: String
    /// Descriptions of the actual results, the nearest first.
    package let instead: [String]
    /// The last lines of real programs' log output.
    package var printed: [String] = []

    package init(line: Int, expected: String, instead: [String], printed: [String] = []) {
        self.line = line
        self.expected = expected
        self.instead = instead
        self.printed = printed
    }
}

/// The player of one section of a scenario, with a broker in memory on a clock that only the lines
/// move, scripted participants and real programs.
///
/// Everything that takes no time happens before the next line is played. Real programs run in real
/// time: the next line waits for their answers, and expected frames may come late, both within
/// `patienceMS`.
package final class ScenarioRun {
    enum Participant {
        case provider(FakeProvider, ProcessWatch)
        case controller(FakeController)
        case program(LiveProgram)
        case scripted(ScriptedPeer)
    }

    /// The broker, whose ids are the same in every run.
    let broker = TestBroker { $0.epoch = UUIDBits("00000000-0000-4000-8000-ca11b80ce000") }
    var participants: [String: Participant] = [:]
    var names = ScenarioNames()
    /// The position by participant behind the last frame that was expected.
    var cursors: [String: Int] = [:]
    /// The position of the first frame of this block.
    var blockStart = 0
    var isExpecting = false
    /// The position of the frame that was matched last in this block, of any participant.
    var lastMatch: Int?
    var latest: [String: (line: Int, reply: Reply, text: String)] = [:]

    let patienceMS: Int
    private let environment: [String: String]
    /// The folder of the file, to which paths of programs are relative.
    private let home: String
    private var scratch: String?
    var declared: [String: ScenarioFile.Step] = [:]
    var unanswered: [(line: Int, reply: Reply, text: String)] = []
    private var expectedErrors: [ObjectIdentifier] = []

    /// - Parameter path: the path of the file; programs are looked up in its folder.
    package init(path: String, environment: [String: String], patienceMS: Int = 5_000) {
        let slash = path.lastIndex(of: "/")
        let beside = slash.map { String(path[..<$0]) } ?? "."
        home = HostProcess.absolute(beside)
        self.environment = environment
        self.patienceMS = patienceMS
    }

    /// The time since the start, by the broker's clock.
    package var now: Duration { broker.now }

    /// Plays a section.
    ///
    /// - Returns: nil if all expectations were met.
    package func run(_ section: ScenarioFile.Section) -> ScenarioFailure? {
        defer { finish() }
        participants["user"] = .controller(broker.controller())
        var last = section.line
        do throws(ScenarioFailure) {
            try keepPeople(section.line)
            for line in section.lines {
                last = line.number
                try play(line)
            }
            try checkRefusals()
            guard broker.problems.isEmpty else {
                throw ScenarioFailure(
                    line: last, expected: "a broker that conforms to the protocol",
                    instead: broker.problems)
            }
            return nil
        } catch {
            var failure = error
            failure.printed = printed
            return failure
        }
    }

    private func keepPeople(_ line: Int) throws(ScenarioFailure) {
        do throws(SocketError) {
            try broker.keepPeople()
        } catch {
            throw ScenarioFailure(line: line, expected: "a broker", instead: ["\(error)"])
        }
    }

    private var printed: [String] {
        participants.sorted { $0.key < $1.key }.flatMap { name, participant in
            guard case .program(let program) = participant else { return [String]() }
            let lines = String(decoding: program.printed, as: UTF8.self).split(separator: "\n")
            return lines.suffix(5).map { "\(name): \($0)" }
        }
    }

    private func finish() {
        for case .program(let program) in participants.values { program.finish() }
        if let scratch {
            for name in HostFile.names(inFolder: scratch) { HostFile.remove("\(scratch)/\(name)") }
            HostFile.removeFolder(scratch)
        }
    }

    // MARK: - Lines

    private func play(_ line: ScenarioFile.Line) throws(ScenarioFailure) {
        switch line.step {
        case .expect(let time, let expectation):
            isExpecting = true
            try expect(expectation, at: time, line.number)
        case .state(let state):
            isExpecting = true
            try expect(state, line.number)
        case .provider, .program, .controller, .scripted:
            try beginBlock()
            try declare(line.step, line.number)
        case .act(let time, let act):
            try beginBlock()
            if let time { advance(to: time) }
            if let act { try play(act, line) }
        case .shell(let command):
            try beginBlock()
            try runShell(command, line.number)
        }
        settle()
    }

    /// Starts a block at the first action after expectations: later expectations are about its
    /// frames only.
    private func beginBlock() throws(ScenarioFailure) {
        guard isExpecting else { return }
        isExpecting = false
        blockStart = broker.frames.count
        cursors = [:]
        lastMatch = nil
        try checkRefusals()
    }

    /// Fails if a request of the block was refused, and no line expects the error.
    private func checkRefusals() throws(ScenarioFailure) {
        defer { unanswered.removeAll { $0.reply.frame != nil } }
        for (line, reply, text) in unanswered {
            guard let error = reply.error, !isExpected(reply) else { continue }
            throw ScenarioFailure(
                line: line, expected: "a result: no line expects an error of \(text)",
                instead: ["error \(error)"])
        }
    }

    func expectsError(_ reply: Reply) {
        expectedErrors.append(ObjectIdentifier(reply))
    }

    func isExpected(_ reply: Reply) -> Bool {
        expectedErrors.contains(ObjectIdentifier(reply))
    }

    // MARK: - Programs

    func declare(
        program name: String, _ description: ScenarioFile.ProgramDescription, _ line: Int
    ) throws(ScenarioFailure) {
        func cannot(_ why: String) -> ScenarioFailure {
            ScenarioFailure(line: line, expected: "\(name) runs", instead: [why])
        }
        let program: LiveProgram
        do {
            program = LiveProgram(
                name, try described(description), of: broker, in: try scratchFolder())
            participants[name] = .program(program)
            try program.start()
        } catch {
            throw cannot("\(error)")
        }
        _ = wait(max(10_000, patienceMS)) { program.isReady || program.process?.exit != nil }
        if let identity = program.identity { names.identities[name] = identity }
        guard program.isReady else {
            let exit = program.process?.exit.map { "it has ended: \($0)" }
            let latest = broker.frames.last { $0.peer == name && $0.sender == .broker }
            throw cannot(
                exit ?? latest.map { "it is not ready; the last frame of the broker: \($0.text)" }
                    ?? "it sent nothing for 10 s")
        }
    }

    private func described(
        _ description: ScenarioFile.ProgramDescription
    ) throws -> ProviderProgram {
        var program: ProviderProgram
        if let path = description.manifest {
            program = try ProviderProgram(
                manifest: try manifest(absolute(path)), [], environment: environment)
            guard try program.make() else {
                throw SocketError(.unusable, "the command \"x_build\" of its manifest failed")
            }
        } else {
            program = ProviderProgram(
                arguments: description.arguments, environment: environment)
            program.folder = home
        }
        if let transport = description.transport { program.transport = transport }
        program.environment.merge(description.environment) { $1 }
        return program
    }

    private func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(home)/\(path)"
    }

    private func manifest(_ path: String) throws(SocketError) -> String {
        guard HostFile.isFolder(path) else { return path }
        let names = HostFile.names(inFolder: path).filter { $0.hasSuffix(".plugin.json") }
        guard names.count == 1, let name = names.first else {
            throw SocketError(
                .unusable, "\(path) has \(names.count) files IDENTITY.plugin.json instead of one")
        }
        return "\(path)/\(name)"
    }

    private func scratchFolder() throws(SocketError) -> String {
        if let scratch { return scratch }
        let made = try HostFile.makeTemporaryFolder(
            prefix: "callbroker-scenario", environment: environment)
        scratch = made
        return made
    }

    private func runShell(_ command: String, _ line: Int) throws(ScenarioFailure) {
        do {
            var variables = environment
            variables["XDG_RUNTIME_DIR"] = try scratchFolder()
            let child = try ChildProgram(
                ["/bin/sh", "-c", command], environment: variables, folder: home,
                descriptors: [(ours: 2, theirs: 2), (ours: 2, theirs: 1)])
            _ = wait(60_000) { child.reap() != nil }
            guard child.exit != .status(0) else { return }
            throw SocketError(
                .unusable, child.exit.map { "it ended with \($0)" } ?? "it did not end within 60 s")
        } catch {
            throw ScenarioFailure(line: line, expected: command, instead: ["\(error)"])
        }
    }

    var programs: [LiveProgram] {
        participants.sorted { $0.key < $1.key }.compactMap {
            if case .program(let program) = $0.value { program } else { nil }
        }
    }

    // MARK: - Time

    /// Moves the clock step by step, so that real programs answer between the steps.
    func advance(to milliseconds: Int) {
        let end = MonotonicTime.zero.advanced(milliseconds: milliseconds)
        settle()
        while let due = broker.nextDue, due <= end {
            broker.go(to: due)
            settle()
        }
        broker.go(to: end)
        settle()
    }

    /// Runs the broker and all participants until nothing is left to do at this time.
    func settle() {
        broker.settle()
        guard !programs.isEmpty else { return }
        if !wait(until: { programs.allSatisfy { $0.openRequests.isEmpty && !$0.hasUnsent } }) {
            for program in programs { program.dropOpenRequests() }
        }
    }

    /// Waits until a condition on real programs holds. Returns whether it holds.
    func wait(_ milliseconds: Int? = nil, until isDone: () -> Bool) -> Bool {
        let deadline = MonotonicTime.now().advanced(milliseconds: milliseconds ?? patienceMS)
        while true {
            while programs.map({ $0.readAll() }).contains(true) {}
            if isDone() { return true }
            let rest = deadline.milliseconds - MonotonicTime.now().milliseconds
            guard rest > 0 else { return false }
            PolledStream.wait(
                for: programs.flatMap(\.descriptors), milliseconds: min(20, Int(rest)))
        }
    }
}
