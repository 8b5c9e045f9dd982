internal import BrokerSocket

/// Scenarios about lost connections and broker restarts.
extension Scenario {
    static let sessions: [Scenario] = [
        Scenario("reconnects", "After a lost connection the program reconnects and registers.") {
            run in
            try run.begin()
            try run.reconnect()
            try run.ping()
        },
        Scenario("resumes", "On the new connection the program resumes its session.") { run in
            try run.requireConnecting()
            try run.begin()
            // Without a call there is nothing that a session would keep.
            _ = try run.neededCall()
            let session = try run.hello().reply?["result"]?["session"]
            try run.reconnect()
            let again = try run.hello()
            if again.params["resume"]?["session"] != session?["session"] {
                throw Stop.failed("the hello has no \"resume\" with the earlier session")
            }
            if again.reply?["result"]?["session"]?["resumed"]?.boolean != true {
                throw Stop.failed("the broker did not resume the session")
            }
        },
        Scenario("lists_its_calls", "After reconnecting, the program lists its calls.") { run in
            try run.begin()
            let call = try run.neededCall()
            run.awaitActive(call)
            try run.reconnect()
            if run.broker.call(call)?["provider_connected"]?.boolean != true {
                throw Stop.failed(
                    "the program had the call \(call) and did not list it, so the broker ended it")
            }
        },
        Scenario("lists_no_reset_calls", "Calls from before a reset are not listed.") {
            run in
            try run.begin()
            let call = try run.neededCall()
            try run.forget(call)
            try run.notify("provider.reset", #"{"reason":"admin"}"#)
            try run.ping()
            try run.reconnect()
            try run.expectUnlisted(call, "the program lists a call from before the reset")
        },
        Scenario(
            "gives_up_dropped", "A call that the broker returns as dropped is not listed again."
        ) {
            run in
            try run.begin()
            let call = try run.neededCall()
            run.awaitActive(call)
            try run.reconnect {
                run.user.request("call.end", #"{"call":"\#(call)"}"#)
            }
            let registered = try run.wire().own.last { $0.method == "provider.register" }
            let dropped = registered?.reply?["result"]?["dropped"]?.elements ?? []
            guard dropped.contains(.string(call)) else {
                throw Stop.notApplicable("the program did not list the call, so none was dropped")
            }
            try run.ping()
            try run.reconnect()
            try run.expectUnlisted(call, "the program still lists the dropped call")
        },
        Scenario(
            "action_again",
            "An action in progress is repeated on the new connection, and answered there once."
        ) { run in
            try run.begin()
            let call = try run.neededCall()
            run.record("#", "SIGSTOP")
            run.process?.signalGroup(.stop)
            _ = try run.perform("set_muted", on: call, #""muted":true"#)
            try run.reconnect {
                run.record("#", "SIGCONT")
                run.process?.signalGroup(.goOn)
            }
            let wire = try run.wire()
            func again() -> Wire.Asked? { wire.asked.first { $0.call == call } }
            guard run.wait(until: { again() != nil }), let asked = again() else {
                throw Stop.notApplicable(
                    "the program did not list the call, so no action was repeated")
            }
            try run.settle(asked.id, asked.kind)
        },
        Scenario("broker_restarts", "Calls survive a restart of the broker.") { run in
            try run.begin()
            let call = try run.neededCall()
            run.awaitActive(call)
            guard run.program.transport == .connect else {
                run.process?.signalGroup(.kill)
                try run.restartBroker()
                try run.restartProgram()
                return try run.ping()
            }
            try run.restartBroker()
            try run.awaitReturn()
            if run.broker.call(call)?["provider_connected"]?.boolean != true {
                throw Stop.failed(
                    "the program had the call \(call) and did not list it, so the broker ended it")
            }
            try run.settle(try run.perform("end", on: call), "end")
        },
        Scenario(
            "broker_away",
            "While no broker runs the program waits without load, and reconnects afterwards."
        ) { run in
            try run.requireConnecting()
            try run.begin()
            run.stopListening()
            run.breakConnections()
            try run.expectIdle()
            try run.listen()
            try run.awaitReturn()
            try run.ping()
        },
    ]
}

extension ConformanceRun {
    func hello() throws -> Wire.Own {
        guard let hello = try wire().own.last(where: { $0.method == "broker.hello" }) else {
            throw Stop.failed("there was no broker.hello on this connection")
        }
        return hello
    }

    func expectUnlisted(_ call: String, _ words: String) throws {
        let listed = try wire().own.filter { $0.method == "provider.register" }
            .flatMap { $0.params["calls"]?.elements ?? [] }
        if listed.contains(where: { $0["call"]?.string == call }) { throw Stop.failed(words) }
    }

    func requireConnecting() throws {
        guard program.transport == .connect else {
            throw Stop.notApplicable(
                "the program cannot reconnect: it is started with its connection")
        }
    }

    /// Closes the connections, and waits until the program is registered again.
    ///
    /// - Parameter meanwhile: called while the program is disconnected.
    func reconnect(_ meanwhile: () throws -> Void = {}) throws {
        try requireConnecting()
        breakConnections()
        try meanwhile()
        try awaitReturn()
    }

    func awaitReturn() throws {
        wait(max(10_000, patienceMS)) { provider != nil || process?.exit != nil }
        if let exit = process?.exit {
            throw Stop.notApplicable(
                "the program ends with its connection (\(exit)) and relies on being restarted")
        }
        if provider == nil {
            throw Stop.failed(
                "the program did not reconnect within \(max(10_000, patienceMS) / 1_000) s")
        }
    }
}
