internal import BrokerJSON

/// Scenarios about requests on calls that are no actions.
extension Scenario {
    static let requests: [Scenario] = [
        Scenario(
            "answers_send_text", "Text to send is answered once, with a result or an error."
        ) { run in
            try run.begin()
            let call = try run.someCall()
            run.awaitActive(call)
            guard run.broker.call(call)?["has_text"]?.boolean == true else {
                throw Stop.notApplicable("the program's calls have no real-time text")
            }
            try run.settle(
                try run.wire().ask(
                    "provider.send_text", #"{"call":"\#(call)","text":"x","deadline_ms":5000}"#),
                "provider.send_text")
        },
        Scenario(
            "answers_participant",
            "A change of a participant is answered once, with a result or an error."
        ) { run in
            try run.begin()
            let call = try run.someCall()
            run.awaitActive(call)
            let params = try run.unchangedParticipant(of: call)
            try run.settle(
                try run.wire().ask("participant.change", params), "participant.change")
        },
        Scenario("answers_push", "A push is answered once, with a result or an error.") { run in
            try run.begin()
            guard let type = run.registration["push_types"]?.elements.first?.string else {
                throw Stop.notApplicable("the program registers no types of push")
            }
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("push", "7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b01" as StaticString)
                writer.member("type", type)
                writer.name("payload")
                writer.object { _ in }
                writer.member("deadline_ms", 5_000)
            }
            try run.settle(try run.wire().ask("push.received", writer.text), "push.received")
        },
    ]
}

extension ConformanceRun {
    /// Returns the params that set a member of a participant to what it was reported to be.
    fileprivate func unchangedParticipant(of call: String) throws -> String {
        let reports = try wire().own.filter {
            $0.method == "call.report_participants" && $0.params["call"]?.string == call
        }
        let all = reports.flatMap { $0.params["changed"].map { Array($0.elements) } ?? [] }
        for participant in all.reversed() {
            guard let id = participant["participant"]?.string,
                let member = participant["changeable"]?.elements.first?.string
            else { continue }
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("call", call)
                writer.member("participant", id)
                writer.name(member == "muted" ? "muted" : "hand_raised")
                writer.value(participant[member]?.boolean ?? false)
                writer.member("deadline_ms", 5_000)
            }
            return writer.text
        }
        throw Stop.notApplicable("the program reports no participant that can be changed")
    }
}
