internal import CallProtocol

/// Scenarios about emergencies and priority callers.
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
            "claims_priority",
            "A priority caller is reported as one; where that does not count the call is ordinary, "
                + "else it rings through do-not-disturb.",
            of: .provider
        ) { run in
            try run.begin()
            let ordinary = try run.claim("normal")
            try run.settle(try run.perform("end", on: ordinary), "end")
            try run.disturbOnly(#""priority_claims":["\#(run.identity)"]"#)
            try run.answerRinging(try run.claim("priority_caller"))
        },
        Scenario(
            "rings_through_dnd",
            "A call of a contact that breaks through is reported, rings, and is answered in spite "
                + "of do-not-disturb.",
            of: .provider
        ) { run in
            try run.begin()
            let caller = try run.callerOnce()
            try run.letThrough(caller)
            let report = try run.reportIncoming(after: try run.ringCommand())
            guard report.params["remote"] == caller || run.broker.call(report.call) != nil else {
                throw Stop.notApplicable("each of its calls has another caller")
            }
            try run.answerRinging(report.call)
        },
        Scenario(
            "answers_urgent_first",
            "A waiting call of a priority caller is answered before an older one of another app.",
            of: .provider
        ) { run in
            try run.begin()
            let app = run.broker.provider("org.example.other")
            try withExtendedLifetime(app) {
                _ = run.answerCall(of: app)
                app.ring(run.newID(), from: "+15550198")
                let call = try run.ring()
                guard run.broker.call(call)?["state"]?.string == "waiting" else {
                    throw Stop.notApplicable("the program's call does not wait behind another")
                }
                run.user.request("call.prioritize", #"{"call":"\#(call)"}"#)
                try run.pressButton(toAnswer: call)
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

    /// Causes a call whose caller has priority by the program's word. Returns its id.
    ///
    /// - Parameter priority: what the host makes of that word.
    fileprivate func claim(_ priority: String) throws -> String {
        guard let command = program.priority else {
            throw Stop.notApplicable(
                "no priority caller can call it: give --priority COMMAND, or \"x_priority\"")
        }
        let report = try reportIncoming(after: command)
        let claimed = report.params["priority"]?.string ?? "normal"
        guard claimed == "priority_caller" else {
            throw Stop.failed("the priority of the call is reported as \(claimed)")
        }
        try ping()
        let listed = broker.call(report.call)
        guard listed?["state"]?.string == "ringing", listed?["priority"]?.string == priority else {
            throw Stop.failed(
                "the call is \(listed?["state"]?.string ?? "over") instead of ringing"
                    + " with the priority \(priority)")
        }
        return report.call
    }

    /// Switches do-not-disturb on, which only priority callers pass.
    fileprivate func disturbOnly(_ members: String) throws {
        record("#", "the user switches do-not-disturb on, but for priority callers")
        user.request(
            "policy.set",
            #"{\#(members.isEmpty ? "" : members + ",")"do_not_disturb":"#
                + #"{"on":true,"repeated_calls_pass":false,"priority_callers_pass":true}}"#)
    }

    /// Makes a caller a contact that breaks through do-not-disturb, and switches that on.
    fileprivate func letThrough(_ caller: JSONTree) throws {
        do {
            try broker.keepPeople()
        } catch {
            throw Stop.cannotStart("\(error)")
        }
        record("#", "the caller is a contact that breaks through")
        user.request(
            "contact.put", #"{"name":"Ann","handles":[\#(caller.json)],"breakthrough":true}"#)
        try disturbOnly("")
    }

    /// Causes a call, and declines it. Returns its caller.
    fileprivate func callerOnce() throws -> JSONTree {
        let report = try reportIncoming(after: try ringCommand())
        guard broker.call(report.call) != nil, let caller = report.params["remote"] else {
            throw Stop.failed("the call does not ring: \(report.refusal)")
        }
        try settle(try perform("end", on: report.call), "end")
        return caller
    }

    /// Answers a call, which must ring.
    fileprivate func answerRinging(_ call: String) throws {
        guard broker.call(call)?["state"]?.string == "ringing" else {
            throw Stop.failed("the call does not ring")
        }
        try settle(try perform("answer", on: call), "answer")
        try expect("active", of: call, after: "the call was answered")
    }

    /// Presses the button once, which answers a call of the program.
    fileprivate func pressButton(toAnswer call: String) throws {
        let wire = try wire()
        let count = wire.asked.count
        record("#", "the user presses the button")
        user.request("call.press_button", #"{"press":"short"}"#)
        func asked() -> Wire.Asked? {
            wire.asked.dropFirst(count).first { $0.kind == "answer" && $0.call == call }
        }
        // A program that takes over whole transactions receives no single actions.
        wait { asked() != nil || broker.call(call)?["state"]?.string == "active" }
        if let asked = asked() { try settle(asked.id, asked.kind) }
        try expect("active", of: call, after: "the button was pressed")
    }
}
