/// Scenarios about pings.
extension Scenario {
    static let pings: [Scenario] = [
        Scenario("ping", "A ping is answered, once; any reply will do.") { run in
            try run.begin()
            try run.settle(try run.wire().ask("broker.ping"), "broker.ping")
        },
        Scenario("ping_during_action", "A ping is answered while an action is in progress.") {
            run in
            try run.begin()
            let call = try run.someCall()
            let wire = try run.wire()
            wire.delivery = .joined
            let action = try run.inject("set_muted", on: call, #"{"muted":true}"#)
            let ping = wire.ask("broker.ping")
            wire.delivery = .whole
            wire.send()
            try run.reply(to: ping, "broker.ping")
            try run.settle(action, "set_muted")
        },
        Scenario("many_pings", "Every one of 500 pings is answered, once.") { run in
            try run.begin()
            let wire = try run.wire()
            let ids = (0..<500).map { wire.ask("broker.ping", #"{"payload":\#($0)}"#) }
            for id in ids { try run.reply(to: id, "one of 500 pings") }
            try run.expectNoFault(.answeredTwice)
        },
        Scenario("burst", "The program keeps reading under load: 2,000 notifications and a ping.") {
            run in
            try run.begin()
            for _ in 0..<2_000 { try run.notify("x_party.goes_on", #"{"louder":true}"#) }
            try run.ping()
        },
    ]
}
