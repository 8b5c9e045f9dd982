internal import BrokerSocket

/// Scenarios about the opening of a session.
extension Scenario {
    static let opening = [
        Scenario("registers", "The program sends a hello and registers within 10 s.") { run in
            try run.begin()
        },
        Scenario("has_its_identity", "The identity in the hello is the one in the manifest.") {
            run in
            guard let identity = run.program.identity else {
                throw Stop.notApplicable("there is neither a manifest nor --identity")
            }
            guard !run.program.isImplicit else {
                throw Stop.notApplicable("the manifest registers the program")
            }
            try run.begin()
            if run.identity != identity {
                throw Stop.failed("the hello has \(run.identity), the manifest \(identity)")
            }
        },
        Scenario(
            "stays",
            "The process that was started keeps running, and keeps its connection."
        ) { run in
            try run.begin()
            run.wait(200) { run.process?.exit != nil || run.provider == nil }
            if let exit = run.process?.exit {
                throw Stop.failed("the process that was started has ended: \(exit)")
            }
            try run.ping()
            if let exit = run.process?.exit {  // and one that it has started has answered
                throw Stop.failed("the process that was started has ended: \(exit)")
            }
        },
        Scenario("new_result_members", "Unknown members of a result are ignored.") {
            run in
            run.prepare = { $0.addsMembers = true }
            try run.begin()
            try run.ping()
        },
        Scenario(
            "answers_while_waiting", "The program answers requests while it waits for a reply."
        ) { run in
            guard !run.program.isImplicit else {
                throw Stop.notApplicable("the manifest registers the program")
            }
            guard run.program.isProvider else {
                throw Stop.notApplicable("the program does not register")
            }
            run.prepare = { $0.holdsRegistration = true }
            try run.listen()
            try run.launch()
            func wire() -> Wire? {
                run.wires.last { $0.own.contains { $0.method == "provider.register" } }
            }
            guard run.wait(10_000, until: { wire() != nil }), let first = wire() else {
                throw Stop.failed("no provider.register within 10 s")
            }
            let id = first.ask("broker.ping")
            guard run.wait(until: { first.replies[id] != nil }) else {
                throw Stop.failed("no answer to broker.ping before the reply to provider.register")
            }
            first.releaseReplies()
            try run.awaitRegistration()
            try run.ping()
        },
    ]
}
