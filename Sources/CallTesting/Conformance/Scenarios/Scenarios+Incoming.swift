/// Scenarios about incoming calls.
extension Scenario {
    static let incoming: [Scenario] = [
        Scenario("rings", "An incoming call is reported with an address of a registered kind.") {
            run in
            try run.begin()
            let call = try run.ring()
            let report = try run.wire().own.last { $0.method == "call.report_incoming" }
            guard run.broker.call(call)?["state"]?.string == "ringing" else {
                let why = report?.reply?["error"]?["message"]?.string ?? "no reason"
                throw Stop.failed("the call does not ring: \(why)")
            }
            let types = run.registration["handle_types"]?.elements.compactMap(\.string) ?? []
            let type = report?.params["remote"]?["type"]?.string ?? "none"
            if !types.contains(type) {
                throw Stop.failed("remote.type is \(type), and the program registered \(types)")
            }
        },
        Scenario("answers_answer", "An answer is answered once, with a result or an error.") {
            run in
            try run.begin()
            let call = try run.ring()
            try run.settle(try run.perform("answer", on: call), "answer")
        },
        Scenario("answered_call_is_active", "A call whose answer was fulfilled can be ended.") {
            run in
            try run.begin()
            let call = try run.ring()
            guard try run.settle(try run.perform("answer", on: call), "answer") else {
                throw Stop.notApplicable("the program did not answer the call")
            }
            if run.broker.call(call)?["state"]?.string != "active" {
                throw Stop.failed("the answer was fulfilled, but the call is not active")
            }
            try run.settle(try run.perform("end", on: call), "end")
            if run.broker.call(call) != nil { throw Stop.failed("the call has not ended") }
        },
        Scenario("declines", "A ringing call is declined by an end.") { run in
            try run.begin()
            let call = try run.ring()
            try run.settle(try run.perform("end", on: call), "end")
            if run.broker.call(call) != nil { throw Stop.failed("the call has not ended") }
        },
        Scenario("answers_deflect", "A deflect is answered once, with a result or an error.") {
            run in
            try run.begin()
            let call = try run.ring()
            try run.requireSupport("supports_deflect", of: call)
            try run.settle(
                try run.perform(
                    "deflect", on: call, #""to":{"type":"phone","value":"+15550111"}"#),
                "deflect")
        },
        Scenario("rings_again", "After a call has ended, the next one rings with an id of its own.")
        {
            run in
            try run.begin()
            let first = try run.ring()
            try run.settle(try run.perform("end", on: first), "end")
            let second = try run.ring()
            if first == second { throw Stop.failed("the second call has the id of the first") }
            if run.broker.call(second) == nil {
                throw Stop.failed("the second call does not ring")
            }
        },
        Scenario(
            "takes_no_for_an_answer",
            "A call that must not ring is dropped without further reports."
        ) {
            run in
            try run.begin()
            run.refuseIncoming()
            let call = try run.ring()
            let count = try run.wire().own.count
            try run.ping()
            if let more = try run.wire().own.dropFirst(count).first(where: {
                $0.params["call"]?.string?.lowercased() == call
            }) {
                throw Stop.failed("the program continues the call: \(more.method)")
            }
        },
        Scenario("rings_until_its_time", "A call that is not answered in time is ended, once.") {
            run in
            try run.begin()
            let call = try run.ring()
            run.advance(seconds: 121)
            if let end = try run.wire().asked.last(where: { $0.call == call }) {
                try run.settle(end.id, end.kind)
            } else {
                try run.ping()
            }
            if run.broker.call(call) != nil { throw Stop.failed("the call still rings") }
        },
    ]
}

extension ConformanceRun {
    /// Makes the host refuse further incoming calls.
    func refuseIncoming() {
        record("#", "the host refuses further calls")
        user.request("policy.set", #"{"limits":{"ringing":1}}"#)
        broker.provider("org.example.other").ring(newID(), from: "+15550199")
    }
}
