internal import CallProtocol

/// Scenarios about calls that come before others, or after them.
extension Scenario {
    static let priorities: [Scenario] = [
        Scenario(
            "starts_emergency",
            "An emergency beside another call is requested at once, with that call's hold or end, "
                + "and each is answered once.",
            of: .provider
        ) { run in
            try run.begin()
            let call = try run.neededCall()
            run.awaitActive(call)
            for asked in try run.startEmergency() { try run.settle(asked.id, asked.kind) }
        },
        Scenario(
            "makes_way",
            "A background call is held when another call is answered, and goes on afterwards.",
            of: .provider
        ) { run in
            try run.begin()
            let call = try run.backgroundCall()
            let app = run.broker.provider("org.example.other")
            try withExtendedLifetime(app) {
                let other = run.answerCall(of: app)
                try run.expect("held", of: call, after: "another call was answered")
                run.user.request("call.end", #"{"call":"\#(other)"}"#)
                try run.expect("active", of: call, after: "the other call was over")
            }
        },
    ]
}

extension ConformanceRun {
    /// Starts an emergency as the user. Returns the actions that the program is sent for it.
    fileprivate func startEmergency() throws -> ArraySlice<Wire.Asked> {
        let wire = try wire()
        let count = wire.asked.count
        record("#", "the user starts an emergency")
        let request = user.request(
            "call.start", #"{"provider":"\#(identity)","remote":\#(remote),"emergency":true}"#)
        guard let call = request.result?["actions"]?.elements.last?["call"]?.string else {
            throw Stop.notApplicable("the broker starts no calls with the program")
        }
        guard
            wait(until: {
                wire.asked.dropFirst(count).contains { $0.kind == "start" && $0.call == call }
            })
        else { throw Stop.notApplicable("the program takes no single actions") }
        return wire.asked.dropFirst(count)
    }

    /// Returns an active call of the program that makes way for others.
    fileprivate func backgroundCall() throws -> String {
        guard let call = try startCall(#","background":true"#) else {
            throw Stop.notApplicable("the program starts no background calls")
        }
        wait { broker.call(call)?["state"]?.string == "active" }
        guard broker.call(call)?["state"]?.string == "active" else {
            throw Stop.notApplicable("nobody answers the program's calls")
        }
        try requireSupport("supports_holding", of: call)
        return call
    }

    /// Lets the user answer a call of another app. Returns its id.
    fileprivate func answerCall(of app: FakeProvider) -> String {
        record("#", "the user answers a call of another app")
        let call = newID()
        app.ring(call, from: "+15550199")
        user.request("call.answer", #"{"call":"\#(call)"}"#)
        return call
    }

    /// Waits until a call has a state, which it gets when the program answers a hold or a resume.
    fileprivate func expect(_ state: String, of call: String, after what: String) throws {
        wait {
            broker.settle()
            return broker.call(call)?["state"]?.string == state
        }
        let last = broker.call(call)?["state"]?.string ?? "over"
        guard last == state else {
            throw Stop.failed("\(what), and the background call is \(last) instead of \(state)")
        }
        try ping()
    }
}
