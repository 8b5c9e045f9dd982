internal import BrokerSocket

/// How it begins.
extension Scenario {
    static let opening = [
        Scenario("registers", "It says hello and registers within 10 s.") { trial in
            try trial.begin()
        },
        Scenario("has_its_identity", "It calls itself what its manifest calls it.") { trial in
            guard let identity = trial.program.identity else {
                throw Stop.notApplicable("there is no manifest, and no --identity")
            }
            guard !trial.program.isImplicit else {
                throw Stop.notApplicable("its manifest says hello for it")
            }
            try trial.begin()
            if trial.identity != identity {
                throw Stop.failed("it says \(trial.identity), its manifest \(identity)")
            }
        },
        Scenario(
            "stays",
            "The process that was started is the one that goes on, and its connection stays."
        ) { trial in
            try trial.begin()
            trial.wait(200) { trial.process?.exit != nil || trial.provider == nil }
            if let exit = trial.process?.exit {
                throw Stop.failed("the process that was started has ended: \(exit)")
            }
            try trial.ping()
        },
        Scenario("new_result_members", "Members of a result that it does not know are ignored.") {
            trial in
            trial.prepare = { $0.addsMembers = true }
            try trial.begin()
            try trial.ping()
        },
        Scenario(
            "answers_while_waiting", "While it waits for a reply it answers what it is asked."
        ) { trial in
            guard !trial.program.isImplicit else {
                throw Stop.notApplicable("its manifest registers for it")
            }
            trial.prepare = { $0.holdsRegistration = true }
            try trial.listen()
            try trial.launch()
            func wire() -> Wire? {
                trial.wires.last { $0.own.contains { $0.method == "provider.register" } }
            }
            guard trial.wait(10_000, until: { wire() != nil }), let first = wire() else {
                throw Stop.failed("no provider.register within 10 s")
            }
            let id = first.ask("broker.ping")
            guard trial.wait(until: { first.replies[id] != nil }) else {
                throw Stop.failed("no answer to broker.ping before the reply to provider.register")
            }
            first.releaseReplies()
            try trial.awaitRegistration()
            try trial.ping()
        },
    ]
}
