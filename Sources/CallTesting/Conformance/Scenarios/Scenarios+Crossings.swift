/// Scenarios about requests that overlap, are cancelled or repeated.
extension Scenario {
    static let crossings: [Scenario] = [
        Scenario("several_at_once", "Several actions at once are all answered, in any order.") {
            run in
            try run.begin()
            let calls = [try run.someCall(), run.newID(), run.newID()]
            let ids = try calls.map { try run.inject("set_muted", on: $0, #"{"muted":true}"#) }
            for id in ids.reversed() { try run.reply(to: id, "set_muted") }
            try run.ping()
        },
        Scenario(
            "end_overtakes_hold",
            "An end that overtakes another action is answered, and so is the other action."
        ) { run in
            try run.begin()
            let call = try run.someCall()
            run.awaitActive(call)
            let hold = try run.inject("set_held", on: call, #"{"held":true}"#)
            let end = try run.perform("end", on: call)
            try run.notify("broker.cancel", #"{"request":\#(hold)}"#)
            try run.reply(to: end, "end")
            try run.settle(hold, "set_held")
        },
        Scenario(
            "duplicate_action",
            "A repeated action is answered as before, and performed once."
        ) { run in
            try run.begin()
            let call = try run.someCall()
            run.wires.last?.quietCalls.insert(call)
            let action = run.newID()
            let first = try run.settle(
                try run.inject("end", on: call, action: action), "end")
            let count = try run.wire().own.count
            let second = try run.settle(
                try run.inject("end", on: call, action: action, attempt: 2), "end")
            if first != second {
                throw Stop.failed(
                    "the same action is \(first ? "performed" : "refused") at first and "
                        + "\(second ? "performed" : "refused") when it is repeated")
            }
            // Requests about anything else may cross the repetition.
            let later = try run.wire().own.dropFirst(count)
            if let again = later.first(where: { $0.call == call }) {
                throw Stop.failed(
                    "the repeated action was performed again: the program sent \(again.method)")
            }
        },
        Scenario("late_cancel", "A cancel after the answer has no effect.") { run in
            try run.begin()
            let id = try run.inject("set_muted", on: try run.someCall(), #"{"muted":true}"#)
            try run.settle(id, "set_muted")
            try run.notify("broker.cancel", #"{"request":\#(id)}"#)
            try run.ping()
            try run.expectNoFault(.answeredTwice)
        },
        Scenario(
            "cancel_before_answer", "A cancelled action is answered nevertheless, once."
        ) { run in
            try run.begin()
            let call = try run.someCall()
            let wire = try run.wire()
            wire.delivery = .joined
            let id = try run.inject("set_muted", on: call, #"{"muted":true}"#)
            try run.notify("broker.cancel", #"{"request":\#(id),"reason":"user"}"#)
            wire.delivery = .whole
            wire.send()
            try run.settle(id, "set_muted")
        },
        Scenario("cancel_unknown", "A cancel of an unknown request is ignored.") {
            run in
            try run.begin()
            try run.notify("broker.cancel", #"{"request":4711}"#)
            try run.notify("broker.cancel", #"{"request":4712,"reason":"deadline"}"#)
            try run.ping()
        },
        Scenario(
            "timed_out", "An action that has timed out is answered once."
        ) { run in
            try run.begin()
            let call = try run.someCall()
            let action = run.newID()
            let id = try run.inject("set_held", on: call, #"{"held":true}"#, action: action)
            try run.notify("broker.cancel", #"{"request":\#(id),"action":"\#(action)"}"#)
            try run.notify(
                "provider.timed_out",
                #"{"action":"\#(action)","kind":"set_held","call":"\#(call)"}"#)
            try run.settle(id, "set_held")
            try run.expectNoFault(.answeredTwice)
        },
    ]
}

extension ConformanceRun {
    func expectNoFault(_ fault: Fault) throws {
        if let found = faults.first(where: { $0.fault == fault }) {
            throw Stop.failed(found.reason)
        }
    }
}
