/// Whether it is alive.
extension Scenario {
    static let pings: [Scenario] = [
        Scenario("ping", "A ping is answered, once; any reply will do.") { trial in
            try trial.begin()
            try trial.settle(try trial.wire().ask("broker.ping"), "broker.ping")
        },
        Scenario("ping_during_action", "A ping is answered while an action is under way.") {
            trial in
            try trial.begin()
            let call = try trial.someCall()
            let wire = try trial.wire()
            wire.delivery = .joined
            let action = try trial.inject("set_muted", on: call, #"{"muted":true}"#)
            let ping = wire.ask("broker.ping")
            wire.delivery = .whole
            wire.send()
            try trial.reply(to: ping, "broker.ping")
            try trial.settle(action, "set_muted")
        },
        Scenario("many_pings", "Every one of 500 pings is answered, once.") { trial in
            try trial.begin()
            let wire = try trial.wire()
            let ids = (0..<500).map { wire.ask("broker.ping", #"{"payload":\#($0)}"#) }
            for id in ids { try trial.reply(to: id, "one of 500 pings") }
            try trial.expectNoFault(.answeredTwice)
        },
        Scenario("burst", "It reads on while much comes: 2,000 notifications and a ping.") {
            trial in
            try trial.begin()
            for _ in 0..<2_000 { try trial.tell("x_party.goes_on", #"{"louder":true}"#) }
            try trial.ping()
        },
    ]
}
