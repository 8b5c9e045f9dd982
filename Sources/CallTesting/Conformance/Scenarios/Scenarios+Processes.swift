internal import BrokerSocket

/// What it is as a process.
extension Scenario {
    static let processes: [Scenario] = [
        Scenario("idle_cpu", "While nothing happens it uses no processor.") { trial in
            try trial.begin()
            try trial.ping()
            trial.wait(200) { false }
            try trial.expectIdle()
        },
        Scenario("quiet", "While nothing happens it says nothing to speak of.") { trial in
            try trial.begin()
            try trial.ping()
            let wire = try trial.wire()
            trial.wait(200) { false }
            let count = wire.framesRead
            trial.wait(300) { false }
            let said = wire.framesRead - count
            if said > 20 { throw Stop.failed("it sent \(said) frames in 300 ms, unasked") }
        },
        Scenario("memory", "Answering 2,000 requests costs it no more than 32 MiB.") { trial in
            try trial.begin()
            let wire = try trial.wire()
            try trial.askMany(200, on: wire)
            let before = trial.process?.usage.residentBytes ?? 0
            try trial.askMany(2_000, on: wire)
            let grown = (trial.process?.usage.residentBytes ?? 0) - before
            if grown > 32 << 20 { throw Stop.failed("its memory grew by \(grown >> 20) MiB") }
        },
        Scenario(
            "stopped_for_a_while",
            "Stopped for 10 s of the broker's time, it goes on, and answers what came meanwhile once."
        ) { trial in
            try trial.begin()
            let call = try trial.someCall()
            trial.record("#", "SIGSTOP")
            trial.process?.signalGroup(.stop)
            let mute = try trial.perform("set_muted", on: call, #""muted":true"#)
            let ping = try trial.wire().ask("broker.ping")
            trial.advance(seconds: 10)
            trial.record("#", "SIGCONT")
            trial.process?.signalGroup(.goOn)
            try trial.reply(to: ping, "broker.ping")
            try trial.settle(mute, "set_muted")
        },
        Scenario("stops_at_sigterm", "At SIGTERM it is gone within its stop_timeout_ms.") { trial in
            try trial.begin()
            _ = try trial.liveCall()
            trial.record("#", "SIGTERM")
            trial.process?.signalGroup(.terminate)
            try trial.expectExit("SIGTERM")
        },
        Scenario(
            "stops_at_goodbye",
            "Told goodbye with the reason stop, it ends, or at least stays away."
        ) { trial in
            try trial.begin()
            let count = trial.wires.count
            try trial.tell("broker.goodbye", #"{"reason":"stop","resumable":false}"#)
            try trial.wire().stream.endOutput()
            guard trial.program.transport == .connect else {
                return try trial.expectExit("goodbye")
            }
            trial.wait(500) { trial.process?.exit != nil || trial.wires.count > count }
            if trial.wires.count > count {
                throw Stop.failed("told to stop, it comes back within 500 ms")
            }
        },
        Scenario(
            "notices_the_end", "When the broker closes its side, it ends or connects anew."
        ) { trial in
            try trial.begin()
            let wire = try trial.wire()
            trial.record("#", "the broker shuts its writing side")
            wire.stream.endOutput()
            guard trial.program.transport == .connect else {
                return try trial.expectExit("the end of its input")
            }
            if !trial.wait(until: { wire.hasEnded || trial.process?.exit != nil }) {
                throw Stop.failed("it keeps a connection on which nothing will ever come")
            }
        },
        Scenario(
            "dies_without_harm", "Killed with a call and started again, it registers as before."
        ) { trial in
            try trial.begin()
            _ = try trial.liveCall()
            trial.record("#", "SIGKILL, and started again")
            try trial.startAgain()
            try trial.ping()
        },
    ]
}

extension Trial {
    /// It does nothing for half a second. On a busy machine one that spins gets little done, but it
    /// always wants to.
    func expectIdle() throws {
        guard let process else { return }
        let before = process.usage.processorMS
        var wanted = 0
        for _ in 0..<10 {
            wait(50) { process.exit != nil }
            if process.usage.isRunnable { wanted += 1 }
        }
        let used = process.usage.processorMS - before
        if used > 75 { throw Stop.failed("it used \(used) ms of processor in 500 ms") }
        if wanted > 7 { throw Stop.failed("it wanted a processor \(wanted) times out of 10") }
    }

    func expectExit(_ why: String) throws {
        guard wait(program.stopTimeoutMS, until: { process?.exit != nil }) else {
            throw Stop.failed("it still runs \(program.stopTimeoutMS) ms after \(why)")
        }
    }

    /// Fifty at a time.
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
