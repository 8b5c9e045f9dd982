/// Scenarios about actions.
extension Scenario {
    static let actions: [Scenario] = [
        Scenario("answers_start", "A start is answered once, with a result or an error.") { run in
            try run.begin()
            let wire = try run.wire()
            _ = try run.startCall()
            guard wire.asked.contains(where: { $0.kind == "start" }) else {
                throw Stop.notApplicable("the broker does not start a call with the program")
            }
            try run.ping()
            try run.expectNoFault(.answeredTwice)
            try run.expectNoFault(.badReply)
        },
        kind("answers_end", "end"),
        kind("answers_hold", "set_held", #""held":true"#, needs: "supports_holding"),
        Scenario("answers_resume", "A resume is answered once, with a result or an error.") {
            run in
            try run.begin()
            let call = try run.someCall()
            run.awaitActive(call)
            try run.requireSupport("supports_holding", of: call)
            try run.settle(try run.perform("set_held", on: call, #""held":true"#), "set_held")
            try run.settle(try run.perform("set_held", on: call, #""held":false"#), "set_held")
        },
        kind("answers_mute", "set_muted", #""muted":true"#),
        Scenario("answers_group", "A set_group is answered once, with a result or an error.") {
            run in
            try run.begin()
            let call = try run.someCall()
            let other = run.newID()
            try run.settle(
                try run.inject("set_group", on: call, #"{"with":"\#(other)"}"#), "set_group")
            try run.settle(
                try run.inject("set_group", on: call, #"{"with":null}"#), "set_group")
        },
        kind("answers_dtmf", "play_dtmf", #""digits":"12#""#, needs: "supports_dtmf"),
        kind(
            "answers_transfer", "transfer", #""to":{"type":"phone","value":"+15550111"}"#,
            needs: "supports_transfer"),
        Scenario(
            "answers_attended_transfer",
            "An attended_transfer is answered once, with a result or an error."
        ) { run in
            try run.begin()
            let call = try run.someCall()
            run.awaitActive(call)
            try run.requireSupport("supports_attended_transfer", of: call)
            let other = run.newID()
            try run.settle(
                try run.inject("attended_transfer", on: call, #"{"with":"\#(other)"}"#),
                "attended_transfer")
        },
        Scenario(
            "answers_endpoint", "A set_endpoint is answered once, with a result or an error."
        ) { run in
            try run.begin()
            let call = try run.someCall()
            run.awaitActive(call)
            let endpoint = try run.availableEndpoint(of: call)
            try run.settle(
                try run.perform("set_endpoint", on: call, #""endpoint":"\#(endpoint)""#),
                "set_endpoint")
        },
        kind("answers_video", "set_video", #""video":"both""#, needs: "supports_set_video"),
        kind("answers_text", "set_text", #""text":true"#, needs: "supports_set_text"),
        Scenario("answers_unknown_call", "Actions on an unknown call are answered.") {
            run in
            try run.begin()
            for (kind, arguments) in [
                ("answer", "{}"), ("end", "{}"), ("set_held", #"{"held":true}"#),
                ("set_muted", #"{"muted":false}"#), ("play_dtmf", #"{"digits":"1"}"#),
            ] {
                try run.settle(try run.inject(kind, on: run.newID(), arguments), kind)
            }
        },
        Scenario(
            "refuses_unknown_kind", "An unknown kind of action is refused with -32601."
        ) { run in
            try run.begin()
            let call = try run.someCall()
            try run.expectUnknown(try run.inject("x_wave", on: call, #"{"x":1}"#), "x_wave")
        },
        Scenario("refuses_unknown_method", "An unknown method is refused with -32601.") { run in
            try run.begin()
            try run.expectUnknown(try run.wire().ask("x_party.dance"), "x_party.dance")
            try run.ping()
        },
        Scenario(
            "execute_as_declared",
            "A whole transaction is decided if the program registered for that, else refused."
        ) { run in
            try run.begin()
            let call = try run.someCall()
            let id = try run.wire().ask(
                "provider.execute",
                #"{"transaction":"\#(run.newID())","actions":[{"action":"\#(run.newID())","#
                    + #""kind":"set_muted","call":"\#(call)","arguments":{"muted":true},"#
                    + #""cause":{"origin":"user"}}],"deadline_ms":1000}"#)
            guard run.registration["takes_transactions"]?.boolean == true else {
                return try run.expectUnknown(id, "provider.execute")
            }
            let answer = try run.reply(to: id, "provider.execute")
            if answer["error"] == nil, answer["result"]?["taken"]?.boolean == nil {
                throw Stop.failed("the result has no Boolean \"taken\"")
            }
        },
        Scenario(
            "new_request_members", "Unknown members of a request are ignored."
        ) { run in
            try run.begin()
            let call = try run.someCall()
            let plain = try run.settle(
                try run.inject("set_muted", on: call, #"{"muted":true}"#), "set_muted")
            let more = try run.settle(
                try run.inject(
                    "set_muted", on: call, #"{"muted":true,"x_softly":true}"#,
                    more: #","x_new":{"deep":[1,2,{"a":null}]}"#), "set_muted")
            if plain, !more {
                throw Stop.failed(
                    "unknown members make the program refuse what it performs without them"
                )
            }
        },
    ]

    /// Makes a scenario about one kind of action.
    private static func kind(
        _ name: String, _ kind: String, _ members: String = "", needs member: String? = nil
    ) -> Scenario {
        let article = kind == "end" ? "An" : "A"
        return Scenario(
            name, "\(article) \(kind) is answered once, with a result or an error."
        ) { run in
            try run.begin()
            let call = try run.someCall()
            run.awaitActive(call)
            if let member { try run.requireSupport(member, of: call) }
            try run.settle(try run.perform(kind, on: call, members), kind)
        }
    }
}

extension ConformanceRun {
    func expectUnknown(_ id: Int, _ what: String) throws {
        let answer = try reply(to: id, what)
        let code = answer["error"]?["code"]?.integer
        guard code != -32_601 else { return }
        throw Stop.failed(
            code.map { "\(what) was refused with \($0) instead of -32601" }
                ?? "\(what) was answered with a result instead of -32601")
    }
}
