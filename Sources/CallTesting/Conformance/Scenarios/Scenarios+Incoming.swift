/// Somebody calls it.
extension Scenario {
    static let incoming: [Scenario] = [
        Scenario("rings", "An incoming call is reported, with an address of a kind it registered.")
        {
            trial in
            try trial.begin()
            let call = try trial.ring()
            let report = try trial.wire().own.last { $0.method == "call.report_incoming" }
            guard trial.broker.call(call)?["state"]?.string == "ringing" else {
                let why = report?.reply?["error"]?["message"]?.string ?? "no reason"
                throw Stop.failed("the call does not ring: \(why)")
            }
            let types = trial.registration["handle_types"]?.elements.compactMap(\.string) ?? []
            let type = report?.params["remote"]?["type"]?.string ?? "none"
            if !types.contains(type) {
                throw Stop.failed("remote.type is \(type); it registered \(types)")
            }
        },
        Scenario("answers_answer", "An answer is answered once, with a result or an error.") {
            trial in
            try trial.begin()
            let call = try trial.ring()
            try trial.settle(try trial.perform("answer", on: call), "answer")
        },
        Scenario("answered_call_is_active", "A call whose answer was fulfilled can be ended.") {
            trial in
            try trial.begin()
            let call = try trial.ring()
            guard try trial.settle(try trial.perform("answer", on: call), "answer") else {
                throw Stop.notApplicable("it did not answer the call")
            }
            if trial.broker.call(call)?["state"]?.string != "active" {
                throw Stop.failed("the answer was fulfilled, and the call is not active")
            }
            try trial.settle(try trial.perform("end", on: call), "end")
            if trial.broker.call(call) != nil { throw Stop.failed("the call is not over") }
        },
        Scenario("declines", "A ringing call is declined by an end.") { trial in
            try trial.begin()
            let call = try trial.ring()
            try trial.settle(try trial.perform("end", on: call), "end")
            if trial.broker.call(call) != nil { throw Stop.failed("the call is not over") }
        },
        Scenario("rings_again", "When a call is over, the next one rings, under an id of its own.")
        {
            trial in
            try trial.begin()
            let first = try trial.ring()
            try trial.settle(try trial.perform("end", on: first), "end")
            let second = try trial.ring()
            if first == second { throw Stop.failed("the second call has the id of the first") }
            if trial.broker.call(second) == nil {
                throw Stop.failed("the second call does not ring")
            }
        },
        Scenario("takes_no_for_an_answer", "A call that may not ring is given up quietly.") {
            trial in
            try trial.begin()
            trial.refuseIncoming()
            let call = try trial.ring()
            let count = try trial.wire().own.count
            try trial.ping()
            if let more = try trial.wire().own.dropFirst(count).first(where: {
                $0.params["call"]?.string?.lowercased() == call
            }) {
                throw Stop.failed("it goes on with the call: \(more.method)")
            }
        },
        Scenario("rings_until_its_time", "A call that nobody answers is ended, and that was all.") {
            trial in
            try trial.begin()
            let call = try trial.ring()
            trial.advance(seconds: 121)
            if let end = try trial.wire().asked.last(where: { $0.call == call }) {
                try trial.settle(end.id, end.kind)
            } else {
                try trial.ping()
            }
            if trial.broker.call(call) != nil { throw Stop.failed("the call still rings") }
        },
    ]
}

extension Trial {
    /// From now on no call may ring.
    func refuseIncoming() {
        record("#", "the host takes no more calls")
        user.request("policy.set", #"{"limits":{"ringing":1}}"#)
        broker.provider("org.example.other").ring(newID(), from: "+15550199")
    }
}
