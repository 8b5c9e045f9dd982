internal import BrokerSocket

/// Connections are lost, and brokers restart.
extension Scenario {
    static let sessions: [Scenario] = [
        Scenario("reconnects", "When its connection is lost, it opens another and registers.") {
            trial in
            try trial.begin()
            try trial.reconnect()
            try trial.ping()
        },
        Scenario("resumes", "In the new connection it goes on with its session.") { trial in
            try trial.requireConnecting()
            try trial.begin()
            // Without a call there is nothing that a session would keep.
            _ = try trial.neededCall()
            let session = try trial.hello().reply?["result"]?["session"]
            try trial.reconnect()
            let again = try trial.hello()
            if again.params["resume"]?["session"] != session?["session"] {
                throw Stop.failed("its hello has no \"resume\" with the session that it had")
            }
            if again.reply?["result"]?["session"]?["resumed"]?.boolean != true {
                throw Stop.failed("the broker did not resume its session")
            }
        },
        Scenario("lists_its_calls", "Back again, it lists the calls that it has.") { trial in
            try trial.begin()
            let call = try trial.neededCall()
            trial.awaitActive(call)
            try trial.reconnect()
            if trial.broker.call(call)?["provider_connected"]?.boolean != true {
                throw Stop.failed("it had the call \(call) and does not list it: the call is over")
            }
        },
        Scenario("lists_no_reset_calls", "Calls from before a reset are not listed any more.") {
            trial in
            try trial.begin()
            let call = try trial.neededCall()
            try trial.forget(call)
            try trial.tell("provider.reset", #"{"reason":"admin"}"#)
            try trial.ping()
            try trial.reconnect()
            try trial.expectUnlisted(call, "it lists a call from before the reset")
        },
        Scenario("gives_up_dropped", "A call that the broker returns as dropped is given up.") {
            trial in
            try trial.begin()
            let call = try trial.neededCall()
            trial.awaitActive(call)
            try trial.reconnect {
                trial.user.request("call.end", #"{"call":"\#(call)"}"#)
            }
            let registered = try trial.wire().own.last { $0.method == "provider.register" }
            let dropped = registered?.reply?["result"]?["dropped"]?.elements ?? []
            guard dropped.contains(.string(call)) else {
                throw Stop.notApplicable("it did not list the call: there is nothing to drop")
            }
            try trial.ping()
            try trial.reconnect()
            try trial.expectUnlisted(call, "it still lists the call that was dropped")
        },
        Scenario(
            "action_again", "An action that was under way comes again, and is answered there, once."
        ) { trial in
            try trial.begin()
            let call = try trial.neededCall()
            trial.record("#", "SIGSTOP")
            trial.process?.signalGroup(.stop)
            _ = try trial.perform("set_muted", on: call, #""muted":true"#)
            try trial.reconnect {
                trial.record("#", "SIGCONT")
                trial.process?.signalGroup(.goOn)
            }
            let wire = try trial.wire()
            func again() -> Wire.Asked? { wire.asked.first { $0.call == call } }
            guard trial.wait(until: { again() != nil }), let asked = again() else {
                throw Stop.notApplicable("it did not list the call: nothing comes again")
            }
            try trial.settle(asked.id, asked.kind)
        },
        Scenario("broker_restarts", "A restart of the broker costs no call.") { trial in
            try trial.begin()
            let call = try trial.neededCall()
            trial.awaitActive(call)
            guard trial.program.transport == .connect else {
                trial.process?.signalGroup(.kill)
                try trial.restartBroker()
                try trial.startAgain()
                return try trial.ping()
            }
            try trial.restartBroker()
            try trial.awaitReturn()
            if trial.broker.call(call)?["provider_connected"]?.boolean != true {
                throw Stop.failed("it had the call \(call) and does not list it: the call is over")
            }
            try trial.settle(try trial.perform("end", on: call), "end")
        },
        Scenario(
            "broker_away", "While there is no broker it waits in patience, and then comes back."
        ) { trial in
            try trial.requireConnecting()
            try trial.begin()
            trial.stopListening()
            trial.breakConnections()
            try trial.expectIdle()
            try trial.listen()
            try trial.awaitReturn()
            try trial.ping()
        },
    ]
}

extension Trial {
    func hello() throws -> Wire.Own {
        guard let hello = try wire().own.last(where: { $0.method == "broker.hello" }) else {
            throw Stop.failed("there is no broker.hello in this connection")
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
                "it cannot connect anew: its connection is the one that it was started with")
        }
    }

    /// Breaks its connection, and waits until it is back.
    ///
    /// - Parameter meanwhile: what happens while it is away.
    func reconnect(_ meanwhile: () throws -> Void = {}) throws {
        try requireConnecting()
        breakConnections()
        try meanwhile()
        try awaitReturn()
    }

    func awaitReturn() throws {
        wait(max(10_000, patienceMS)) { provider != nil || process?.exit != nil }
        if let exit = process?.exit {
            throw Stop.notApplicable("it ends with its connection (\(exit)), and is started again")
        }
        if provider == nil {
            throw Stop.failed("it did not come back within \(max(10_000, patienceMS) / 1_000) s")
        }
    }
}
