internal import BrokerSocket

/// Scenarios about the process.
extension Scenario {
    static let processes: [Scenario] = [
        Scenario("idle_cpu", "An idle program uses no processor time.") { run in
            try run.begin()
            try run.ping()
            run.wait(200) { false }
            try run.expectIdle()
        },
        Scenario("quiet", "An idle program sends almost nothing.") { run in
            try run.begin()
            try run.ping()
            let wire = try run.wire()
            run.wait(200) { false }
            let count = wire.framesRead
            run.wait(300) { false }
            let sent = wire.framesRead - count
            if sent > 20 { throw Stop.failed("the idle program sent \(sent) frames in 300 ms") }
        },
        Scenario("memory", "Answering 2,000 requests needs at most 32 MiB.") { run in
            try run.begin()
            let wire = try run.wire()
            try run.askMany(200, on: wire)
            let before = run.process?.usage.residentBytes ?? 0
            try run.askMany(2_000, on: wire)
            let grown = (run.process?.usage.residentBytes ?? 0) - before
            if grown > 32 << 20 {
                throw Stop.failed("the program's memory grew by \(grown >> 20) MiB")
            }
        },
        Scenario(
            "stopped_for_a_while",
            "After a stop of 10 s by the broker's clock, requests from meanwhile are answered once."
        ) { run in
            try run.begin()
            let call = try run.someCall()
            run.record("#", "SIGSTOP")
            run.process?.signalGroup(.stop)
            let mute = try run.perform("set_muted", on: call, #""muted":true"#)
            let ping = try run.wire().ask("broker.ping")
            run.advance(seconds: 10)
            run.record("#", "SIGCONT")
            run.process?.signalGroup(.goOn)
            try run.reply(to: ping, "broker.ping")
            try run.settle(mute, "set_muted")
        },
        Scenario("stops_at_sigterm", "At SIGTERM the program exits within its stop_timeout_ms.") {
            run in
            try run.begin()
            _ = try run.liveCall()
            run.record("#", "SIGTERM")
            run.process?.signalGroup(.terminate)
            try run.expectExit("SIGTERM")
        },
        Scenario(
            "stops_at_goodbye",
            "After a goodbye with the reason stop the program exits, or stays disconnected."
        ) { run in
            try run.begin()
            let count = run.wires.count
            try run.notify("broker.goodbye", #"{"reason":"stop","resumable":false}"#)
            try run.wire().stream.endOutput()
            guard run.program.transport == .connect else {
                return try run.expectExit("goodbye")
            }
            run.wait(500) { run.process?.exit != nil || run.wires.count > count }
            if run.wires.count > count {
                throw Stop.failed(
                    "the program reconnected within 500 ms after a goodbye with the reason stop")
            }
        },
        Scenario(
            "notices_the_end", "When the broker closes its side, the program exits or reconnects."
        ) { run in
            try run.begin()
            let wire = try run.wire()
            run.record("#", "the broker shuts its writing side")
            wire.stream.endOutput()
            guard run.program.transport == .connect else {
                return try run.expectExit("the end of its input")
            }
            if !run.wait(until: { wire.hasEnded || run.process?.exit != nil }) {
                throw Stop.failed("the program keeps a connection that the broker has closed")
            }
        },
        Scenario(
            "dies_without_harm",
            "Killed during a call and restarted, the program registers as before."
        ) { run in
            try run.begin()
            _ = try run.liveCall()
            run.record("#", "SIGKILL and restart")
            try run.restartProgram()
            try run.ping()
        },
    ]
}

extension ConformanceRun {
    /// Checks that the program becomes idle within `patienceMS`: it may still be preparing itself.
    func expectIdle() throws {
        guard let process else { return }
        let deadline = MonotonicTime.now().advanced(milliseconds: patienceMS)
        while let activity = activity(of: process) {
            guard MonotonicTime.now() < deadline else { throw Stop.failed(activity) }
        }
    }

    /// Returns what a program does in half a second in which it has nothing to do; nil if that is
    /// next to nothing. On a busy machine a program that spins uses little processor time, but it is
    /// always runnable.
    private func activity(of process: ChildProgram) -> String? {
        let before = process.usage.processorMS
        var wanted = 0
        for _ in 0..<10 {
            wait(50) { process.exit != nil }
            if process.usage.isRunnable { wanted += 1 }
        }
        let used = process.usage.processorMS - before
        if used > 75 { return "the program used \(used) ms of processor time in 500 ms" }
        return wanted > 7 ? "the program was runnable \(wanted) times out of 10" : nil
    }

    func expectExit(_ why: String) throws {
        guard wait(program.stopTimeoutMS, until: { process?.exit != nil }) else {
            throw Stop.failed("the program still runs \(program.stopTimeoutMS) ms after \(why)")
        }
    }

    /// Makes many requests, fifty at a time.
    func askMany(_ count: Int, on wire: Wire) throws {
        for _ in 0..<(count / 50) {
            var ids: [Int] = []
            for _ in 0..<25 {
                ids.append(wire.ask("broker.ping"))
                ids.append(try inject("set_muted", on: newID(), #"{"muted":true}"#))
            }
            for id in ids { try reply(to: id, "one of many requests") }
        }
    }
}
