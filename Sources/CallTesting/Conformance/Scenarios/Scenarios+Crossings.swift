/// Requests that meet, are taken back, or come again.
extension Scenario {
    static let crossings: [Scenario] = [
        Scenario("several_at_once", "Several actions at a time are all answered, in any order.") {
            trial in
            try trial.begin()
            let calls = [try trial.someCall(), trial.newID(), trial.newID()]
            let ids = try calls.map { try trial.inject("set_muted", on: $0, #"{"muted":true}"#) }
            for id in ids.reversed() { try trial.reply(to: id, "set_muted") }
            try trial.ping()
        },
        Scenario(
            "end_overtakes_hold",
            "An end that overtakes another action is answered, and so is that."
        ) { trial in
            try trial.begin()
            let call = try trial.someCall()
            trial.awaitActive(call)
            let hold = try trial.inject("set_held", on: call, #"{"held":true}"#)
            let end = try trial.perform("end", on: call)
            try trial.tell("broker.cancel", #"{"request":\#(hold)}"#)
            try trial.reply(to: end, "end")
            try trial.settle(hold, "set_held")
        },
        Scenario(
            "duplicate_action",
            "An action that is asked for again is answered as before, and done once."
        ) { trial in
            try trial.begin()
            let call = try trial.someCall()
            trial.wires.last?.quietCalls.insert(call)
            let action = trial.newID()
            let first = try trial.settle(
                try trial.inject("end", on: call, action: action), "end")
            let count = try trial.wire().own.count
            let second = try trial.settle(
                try trial.inject("end", on: call, action: action, attempt: 2), "end")
            if first != second {
                throw Stop.failed(
                    "the same action is \(first ? "done" : "refused") at first and "
                        + "\(second ? "done" : "refused") when it is asked for again")
            }
            if let again = try trial.wire().own.dropFirst(count).first {
                throw Stop.failed("asked again, it asks for \(again.method): it did it again")
            }
        },
        Scenario("late_cancel", "A cancel that comes after the answer changes nothing.") { trial in
            try trial.begin()
            let id = try trial.inject("set_muted", on: try trial.someCall(), #"{"muted":true}"#)
            try trial.settle(id, "set_muted")
            try trial.tell("broker.cancel", #"{"request":\#(id)}"#)
            try trial.ping()
            try trial.expectNoFault(.answeredTwice)
        },
        Scenario(
            "cancel_before_answer", "An action that is taken back is answered all the same, once."
        ) { trial in
            try trial.begin()
            let call = try trial.someCall()
            let wire = try trial.wire()
            wire.delivery = .joined
            let id = try trial.inject("set_muted", on: call, #"{"muted":true}"#)
            try trial.tell("broker.cancel", #"{"request":\#(id),"reason":"user"}"#)
            wire.delivery = .whole
            wire.send()
            try trial.settle(id, "set_muted")
        },
        Scenario("cancel_unknown", "A cancel of a request that it does not have is ignored.") {
            trial in
            try trial.begin()
            try trial.tell("broker.cancel", #"{"request":4711}"#)
            try trial.tell("broker.cancel", #"{"request":4712,"reason":"deadline"}"#)
            try trial.ping()
        },
        Scenario(
            "timed_out", "When its time was over, an action is answered once, and that was all."
        ) { trial in
            try trial.begin()
            let call = try trial.someCall()
            let action = trial.newID()
            let id = try trial.inject("set_held", on: call, #"{"held":true}"#, action: action)
            try trial.tell("broker.cancel", #"{"request":\#(id),"action":"\#(action)"}"#)
            try trial.tell(
                "provider.timed_out",
                #"{"action":"\#(action)","kind":"set_held","call":"\#(call)"}"#)
            try trial.settle(id, "set_held")
            try trial.expectNoFault(.answeredTwice)
        },
    ]
}

extension Trial {
    func expectNoFault(_ fault: Fault) throws {
        if let found = faults.first(where: { $0.fault == fault }) {
            throw Stop.failed(found.reason)
        }
    }
}
