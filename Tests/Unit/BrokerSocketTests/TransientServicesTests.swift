import Glibc
import Testing

@testable import BrokerSocket

/// Services, with programs in the place of systemd's. The real ones are in `packaging/tests`.
struct TransientServicesTests {
    private let harness: LoopHarness
    private let folder: TemporaryFolder
    private let services: TransientServices

    init() throws {
        harness = try LoopHarness()
        folder = try TemporaryFolder()
        // What systemd makes of a command: it expands variables, and restores `$$`.
        try Self.install(
            folder.path + "/runner",
            """
            #!/usr/bin/python3
            import os, sys
            words = [word.replace("$$", "$") for word in sys.argv[sys.argv.index("--") + 1:]]
            os.execv(words[0], words)
            """)
        try Self.install(
            folder.path + "/control",
            """
            #!/bin/sh
            echo "$*" >>"$XDG_RUNTIME_DIR/controlled"
            [ "$2" != show ] || cat "$XDG_RUNTIME_DIR/shown"
            """)
        services = TransientServices(
            runner: folder.path + "/runner", control: folder.path + "/control",
            environment: ["XDG_RUNTIME_DIR=\(folder.path)"], inherited: ["LANG", "PATH"],
            folder: folder.path)
    }

    private static func write(_ path: String, _ text: String) throws {
        try HostFile.write(path, Array(text.utf8))
    }

    /// Writes a program. Another process does: no child of a test that runs at the same time
    /// inherits a descriptor for writing, with which the program could not be executed.
    private static func install(_ path: String, _ text: String) throws {
        try write(path + ".text", text)
        let copy = try ChildProgram(
            ["install", "-m", "755", path + ".text", path], environment: [:], folder: nil,
            descriptors: [])
        #expect(becomesReadable(copy.exitDescriptor))
        try #require(copy.reap() == .status(0))
    }

    private func settings(
        _ script: String, _ wiring: ChildSettings.Wiring = .standard
    ) -> ChildSettings {
        ChildSettings(
            name: "org.example.phone", program: "/bin/sh", arguments: ["sh", "-c", script],
            environment: ["PATH=/usr/bin:/bin", "TOKEN=secret"], folder: folder.path,
            wiring: wiring)
    }

    /// What `systemctl` was run with, once there are so many lines.
    private func controlled(_ count: Int) -> [Substring] {
        var lines: [Substring] = []
        _ = becomesTrue {
            let bytes = (try? HostFile.read(folder.path + "/controlled")) ?? []
            lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            return lines.count >= count
        }
        return lines
    }

    /// Lets a child live to its end; returns what it said and logged, and how it ended.
    private func live(
        _ child: ChildProcess, _ react: (String) -> Void = { _ in }
    ) -> (said: String, logged: String, exit: ChildProcess.Exit?) {
        var (said, logged, exit) = ("", "", ChildProcess.Exit?.none)
        let end = MonotonicTime.now().advanced(milliseconds: 60_000)
        while exit == nil, MonotonicTime.now() < end {
            _ = harness.turn(until: .now().advanced(milliseconds: 1_000)) { event in
                switch event {
                case .received(_, let bytes): said += String(decoding: bytes, as: UTF8.self)
                case .logged(_, let bytes):
                    logged += String(decoding: bytes, as: UTF8.self)
                    react(logged)
                case .exited: exit = exit ?? child.reap()
                default: break
                }
            }
        }
        logged += String(decoding: child.log.readRest(bytesMax: 1 << 20), as: UTF8.self)
        child.watch.stop()
        child.log.stop()
        child.connection?.abort()
        _ = harness.turn()
        return (said, logged, exit)
    }

    // MARK: - Starting

    @Test func `a service has the limits of the child, and not the values of its variables`() {
        var child = settings("echo $HOME")
        child.memoryBytes = 1 << 30
        child.descriptors = 77
        child.endsChildren = false
        let arguments = services.settings(for: child, in: "callbroker-plugin-x-1-1.service")
            .arguments
        let expected = [
            "--user", "--pipe", "--wait", "--unit=callbroker-plugin-x-1-1.service",
            "--working-directory=\(folder.path)", "--property=KillMode=process",
            "--property=LimitAS=1073741824", "--property=LimitNOFILE=77", "--setenv=TOKEN",
            "--property=UnsetEnvironment=LANG",
        ]
        for word in expected { #expect(arguments.contains(word), "\(word)") }
        #expect(!arguments.contains { $0.contains("secret") })
        #expect(arguments.suffix(4) == ["--", "/bin/sh", "-c", "echo $$HOME"])
        #expect(
            services.settings(for: child, in: "callbroker-plugin-x-1-1.service").environment
                .contains("TOKEN=secret"))
        #expect(
            services.settings(for: child, in: "callbroker-plugin-x-1-1.service").memoryBytes == nil)
    }

    @Test func `the children of a service end with it, unless they may outlive it`() {
        let arguments = services.settings(for: settings("exit 0"), in: "x.service").arguments
        #expect(arguments.contains("--property=KillMode=control-group"))
    }

    @Test func `a service has the socket where its program expects it`() throws {
        let standard = try harness.loop.spawn(settings("echo said; echo log >&2"), in: services)
        #expect(live(standard) == ("said\n", "log\n", .code(0)))
        let third = try harness.loop.spawn(
            settings("echo said >&3; echo log; exit 3", .third), in: services)
        #expect(live(third) == ("said\n", "log\n", .code(3)))
    }

    @Test func `a program that connects by itself has a log of its own`() throws {
        let child = try harness.loop.spawn(
            settings("echo one; echo \"$TOKEN\" >&2", .none), in: services)
        #expect(child.connection == nil)
        #expect(live(child) == ("", "one\nsecret\n", .code(0)))
    }

    @Test func `a log that is no pipe is left alone`() throws {
        let path = folder.path + "/plugin-org.example.phone.log"
        try Self.write(path, "mine")
        #expect(throws: SocketError.self) {
            try harness.loop.spawn(settings("exit 0", .none), in: services)
        }
        #expect(try HostFile.read(path) == Array("mine".utf8))
    }

    @Test func `a program that is none is not started`() {
        var child = settings("exit 0")
        child.program = folder.path + "/missing"
        #expect(throws: SocketError.self) { try harness.loop.spawn(child, in: services) }
    }

    // MARK: - Signals

    @Test func `signals for a service go through systemd`() throws {
        let child = try harness.loop.spawn(settings("read line", .standard), in: services)
        child.terminate()
        #expect(
            controlled(1) == [
                "--user kill --signal=15 --kill-whom=all callbroker-plugin-org.example.phone-\(getpid())-1.service"
            ])
        child.kill()
        #expect(controlled(2).last?.contains("--signal=9") == true)
        child.connection?.abort()
        #expect(live(child).exit == .code(1))
    }

    @Test func `a service whose systemd-run is killed is stopped`() throws {
        let child = try harness.loop.spawn(settings("kill -KILL $$"), in: services)
        #expect(live(child).exit == .signal(SIGKILL))
        #expect(
            controlled(1) == [
                "--user stop --no-block callbroker-plugin-org.example.phone-\(getpid())-1.service"
            ])
    }

    // MARK: - Services of an earlier process

    private func leave(_ pid: Int32) throws {
        try Self.write(
            folder.path + "/shown",
            "MainPID=\(pid)\nId=callbroker-plugin-org.example.phone-\(getpid())-1.service\n\n"
                + "MainPID=0\nId=callbroker-plugin-org.example.gone-7-1.service\n")
        services.findRunning()
    }

    @Test func `a program that connects by itself is taken over, with its log`() throws {
        #expect(mkfifo(folder.path + "/wait", 0o600) == 0)
        let first = try harness.loop.spawn(
            settings("echo one; read line <wait; echo two", .none), in: services)
        try leave(first.pid)
        let second = try harness.loop.spawn(settings("echo another", .none), in: services)
        #expect(second.pid == first.pid)
        first.log.stop()
        var isReleased = false
        let life = live(second) { _ in
            if !isReleased { try? HostFile.write(folder.path + "/wait", [10]) }
            isReleased = true
        }
        #expect(life.exit == .code(0))
        #expect(life.logged.hasSuffix("two\n"))
        #expect(!life.logged.contains("another"))
        first.watch.stop()
    }

    @Test func `a program whose connection has ended is stopped, and started anew`() throws {
        try leave(getpid())
        let child = try harness.loop.spawn(settings("echo new"), in: services)
        #expect(live(child).said == "new\n")
        #expect(
            controlled(2).last
                == "--user stop callbroker-plugin-org.example.phone-\(getpid())-1.service")
    }

    @Test func `services that are not taken over are stopped`() throws {
        try leave(getpid())
        services.stopRemaining()
        #expect(
            controlled(2).last
                == "--user stop --no-block callbroker-plugin-org.example.phone-\(getpid())-1.service"
        )
    }

    @Test func `there are services only for the main process of a service`() {
        #expect(TransientServices(environment: [:], folder: folder.path) == nil)
        let other = ["SYSTEMD_EXEC_PID": "1", "XDG_RUNTIME_DIR": folder.path]
        #expect(TransientServices(environment: other, folder: folder.path) == nil)
    }
}
