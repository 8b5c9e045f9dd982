import BrokerSocket
import Glibc
import Testing

struct ChildProcessTests {
    private let harness: LoopHarness
    private let folder: TemporaryFolder

    init() throws {
        harness = try LoopHarness()
        folder = try TemporaryFolder()
    }

    /// What became of a script.
    private struct Life {
        var said = ""
        var logged = ""
        var exit: ChildProcess.Exit?
    }

    private func settings(
        _ script: String, _ wiring: ChildSettings.Wiring = .standard,
        environment: [String] = ["PATH=/usr/bin:/bin"]
    ) -> ChildSettings {
        ChildSettings(
            program: "/bin/sh", arguments: ["sh", "-c", script], environment: environment,
            folder: folder.path, wiring: wiring)
    }

    /// Lets a child live to its end.
    private func watch(
        _ child: ChildProcess, _ react: (String) -> Void = { _ in }
    ) -> Life {
        var life = Life()
        let end = MonotonicTime.now().advanced(milliseconds: 60_000)
        while life.exit == nil, MonotonicTime.now() < end {
            _ = harness.turn(until: .now().advanced(milliseconds: 1_000)) { event in
                switch event {
                case .received(_, let bytes):
                    life.said += String(decoding: bytes, as: UTF8.self)
                    react(life.said)
                case .logged(_, let bytes): life.logged += String(decoding: bytes, as: UTF8.self)
                case .exited: life.exit = child.reap()
                default: break
                }
            }
        }
        life.logged += String(decoding: child.log.readRest(bytesMax: 1 << 20), as: UTF8.self)
        child.watch.stop()
        child.log.stop()
        child.connection?.abort()
        _ = harness.turn()
        return life
    }

    private func live(
        _ script: String, _ wiring: ChildSettings.Wiring = .standard,
        environment: [String] = ["PATH=/usr/bin:/bin"]
    ) throws -> Life {
        watch(try harness.loop.spawn(settings(script, wiring, environment: environment)))
    }

    @Test func `a child talks by its standard input and output, and logs by the third`() throws {
        let child = try harness.loop.spawn(
            settings("read line; echo \"got $line\"; echo oops >&2; exit 7"))
        child.connection?.send(Array("ping\n".utf8))
        let life = watch(child)
        #expect(life.said == "got ping\n")
        #expect(life.logged == "oops\n")
        #expect(life.exit == .code(7))
    }

    @Test func `on the fourth it talks by that, and its standard output is a log`() throws {
        let child = try harness.loop.spawn(
            settings(
                "read line; read reply <&3; echo \"$reply\" >&3; echo log; echo err >&2", .third))
        child.connection?.send(Array("ping\n".utf8))
        let life = watch(child)
        #expect(life.said == "ping\n")
        #expect(life.logged == "log\nerr\n")
        #expect(life.exit == .code(0))
    }

    @Test func `one that connects itself has no socket of ours`() throws {
        let child = try harness.loop.spawn(settings("echo log", .none))
        #expect(child.connection == nil)
        #expect(watch(child).logged == "log\n")
    }

    @Test func `its environment is what it was given, and nothing else`() throws {
        let life = try live("/usr/bin/env", environment: ["A=1", "B=two words"])
        // What the shell itself sets.
        let own = ["PWD=", "OLDPWD=", "SHLVL=", "_="]
        let lines = life.said.split(separator: "\n").filter { line in
            !own.contains { line.hasPrefix($0) }
        }
        #expect(lines.sorted() == ["A=1", "B=two words"])
    }

    @Test(arguments: [ChildSettings.Wiring.standard, .third, .none])
    func `it has no other descriptors`(_ wiring: ChildSettings.Wiring) throws {
        let leak = open("/dev/null", O_RDONLY)
        defer { close(leak) }
        let life = try live("for d in /proc/$$/fd/*; do echo ${d##*/} >&2; done", wiring)
        // The shell opens the folder while it lists it.
        let numbers = life.logged.split(separator: "\n").compactMap { Int($0) }.filter { $0 < 10 }
        #expect(
            Set(numbers).subtracting([wiring == .third ? 4 : 3])
                == Set(wiring == .third ? 0...3 : 0...2))
        #expect(!numbers.contains(Int(leak)) || leak < 5)
    }

    @Test func `it lives in the folder that it was given`() throws {
        #expect(try live("pwd -P").said == "\(folder.path)\n")
    }

    @Test func `its limits are those of its settings`() throws {
        var settings = settings("ulimit -v; ulimit -n; ulimit -Hn")
        settings.memoryBytes = 1 << 30
        settings.descriptors = 77
        #expect(watch(try harness.loop.spawn(settings)).said == "1048576\n77\n77\n")
    }

    @Test func `without a limit it may open what programs expect`() throws {
        #expect(try live("ulimit -n").said == "1024\n")
    }

    @Test func `it leads a group, and takes no signals that we have blocked or ignored`() throws {
        signal(SIGPIPE, SIG_IGN)
        let life = try live(
            "ps -o pgid= -p $$ | tr -d ' '; echo $$; grep -E 'Sig(Blk|Ign)' /proc/self/status")
        let lines = life.said.split(separator: "\n")
        #expect(lines.count == 4 && lines[0] == lines[1])
        let masks = lines.suffix(2).compactMap { UInt64($0.suffix(16), radix: 16) }
        // The C library keeps two real-time signals for itself, and nobody can change those.
        #expect(masks.map { $0 & 0x7FFF_FFFF } == [0, 0])
    }

    @Test func `a signal ends the whole group`() throws {
        let child = try harness.loop.spawn(
            settings("(trap '' TERM; echo $$; tail -f /dev/null) & wait"))
        let life = watch(child) { said in if said.hasSuffix("\n") { child.terminate() } }
        #expect(life.exit == .signal(SIGTERM))
        #expect(becomesTrue { kill(-child.pid, 0) != 0 && errno == ESRCH })
    }

    @Test func `the process decides, though a child of it goes on and has the socket`() throws {
        let life = try live("tail -f /dev/null & echo $!; exit 0")
        #expect(life.exit == .code(0))
        let background = Int32(life.said.trimmingLast) ?? 0
        #expect(background > 0, "\(life)")
        #expect(becomesTrue { kill(background, 0) != 0 })
    }

    /// What it has detached, and whether that is in a group of ours.
    private func detached(_ endsChildren: Bool) throws -> (pid: Int32, cgroup: String) {
        let groups = ControlGroups()
        defer { groups.close() }
        var settings = settings(
            "mkfifo f; (setsid sh -c 'echo $$ > f; exec tail -f /dev/null >&- 2>&-' &);"
                + " read pid < f; cat /proc/$pid/cgroup | tr '\\n' ' '; echo; echo $pid")
        settings.endsChildren = endsChildren
        let life = watch(try harness.loop.spawn(settings, in: groups))
        let lines = life.said.split(separator: "\n")
        #expect(life.exit == .code(0) && lines.count == 2)
        return (Int32(lines.last ?? "") ?? 0, String(lines.first ?? ""))
    }

    @Test func `where there are cgroups, what has detached itself ends with it`() throws {
        let (pid, cgroup) = try detached(true)
        #expect(pid > 0)
        if cgroup.contains("/callbroker-plugins-\(getpid())/") {
            #expect(becomesTrue { kill(pid, 0) != 0 })
        } else {
            // This host has none for us.
            #expect(kill(pid, SIGKILL) == 0)
        }
    }

    @Test func `or it lives on, if it is to`() throws {
        let (pid, cgroup) = try detached(false)
        #expect(!cgroup.contains("/callbroker-plugins-"))
        #expect(kill(pid, SIGKILL) == 0)
    }

    @Test func `a program that is not there is told at once`() {
        var settings = settings("")
        settings.program = "/nowhere/bell"
        #expect(
            throws: SocketError(.system, "cannot run /nowhere/bell: No such file or directory")
        ) {
            _ = try harness.loop.spawn(settings)
        }
    }

    @Test func `so is a folder`() {
        var settings = settings("")
        settings.folder = "/nowhere"
        #expect(throws: SocketError(.system, "cannot enter /nowhere: No such file or directory")) {
            _ = try harness.loop.spawn(settings)
        }
    }

    @Test func `nothing is left behind`() async {
        // A process of its own: tests beside this one have descriptors, too.
        await #expect(processExitsWith: .success) {
            let tests = try ChildProcessTests()
            _ = try tests.live("exit 0")
            var settings = tests.settings("")
            settings.program = "/nowhere/bell"
            let before = TemporaryFolder.names(in: "/proc/self/fd").count
            for _ in 0..<20 {
                _ = try tests.live("exit 0")
                _ = try? tests.harness.loop.spawn(settings)
            }
            let after = TemporaryFolder.names(in: "/proc/self/fd").count
            #expect(after - before < 20)
            let child = try tests.harness.loop.spawn(tests.settings("exit 0"))
            #expect(tests.watch(child).exit == .code(0))
            #expect(kill(child.pid, 0) != 0 && errno == ESRCH)
        }
    }

    /// Who waits for any child at all, as what runs our tests does, would meet its remains for ever.
    @Test func `nothing is left of a child that could not run its program`() async {
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop()
            let settings = ChildSettings(
                program: "/nowhere/bell", arguments: [], environment: [], folder: "/",
                wiring: .none)
            for _ in 0..<50 { _ = try? loop.spawn(settings) }
            var remains = siginfo_t()
            #expect(waitid(P_ALL, 0, &remains, WEXITED | WNOHANG | WNOWAIT) == -1)
            #expect(errno == ECHILD)
        }
    }
}

extension String {
    fileprivate var trimmingLast: String {
        hasSuffix("\n") ? String(dropLast()) : self
    }
}
