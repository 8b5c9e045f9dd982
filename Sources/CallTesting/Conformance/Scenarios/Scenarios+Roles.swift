internal import CallProtocol

/// Scenarios about roles other than that of a provider.
extension Scenario {
    private static let call = "7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b01"
    private static let remote = #"{"type":"phone","value":"+15550123"}"#

    static let roles: [Scenario] = [
        Scenario("screens_calls", "A screener answers each check with a verdict.", of: .screener) {
            run in
            try run.beginAs(.screener)
            for remote in [Self.remote, "null"] { _ = try run.verdict(on: Self.call, from: remote) }
        },
        Scenario(
            "screens_questions",
            "A question whether a call may ring gets the verdict of the call itself, and is not "
                + "counted as a call.",
            of: .screener
        ) { run in
            try run.beginAs(.screener)
            let asked = try (0..<3).map { _ in
                try run.verdict(on: run.newID(), from: Self.remote, #""dry_run":true,"#)
            }
            let verdict = try run.verdict(on: Self.call, from: Self.remote)
            if let other = asked.first(where: { $0 != verdict }) {
                throw Stop.failed(
                    "the call gets \(verdict), and a question about it got \(other)")
            }
        },
        Scenario(
            "names_callers", "A directory answers each lookup, also of unknown numbers.",
            of: .directory
        ) {
            run in
            try run.beginAs(.directory)
            for number in ["+15550123", "+15559999"] {
                let result = try run.result(
                    of: "directory.lookup",
                    #"{"remote":{"type":"phone","value":"\#(number)"},"deadline_ms":5000}"#)
                if let name = result["display_name"], name.string == nil {
                    throw Stop.failed("display_name must be a string, or be left out")
                }
            }
        },
        Scenario(
            "presents_calls", "A screen says whether it presents a call, and dismisses it.", of: .ui
        ) { run in
            try run.beginAs(.ui)
            let result = try run.result(
                of: "ui.present",
                #"{"call":"\#(Self.call)","provider":"org.example.phone","direction":"incoming","#
                    + #""state":"ringing","remote":\#(Self.remote),"group":"\#(Self.call)","#
                    + #""allowed":["answer","decline"],"created_at_ms":1763712000000,"rev":1,"#
                    + #""actions":["answer","decline"],"deadline_ms":2000}"#)
            guard result["presented"]?.boolean != nil else {
                throw Stop.failed("the result has no presented: true or false")
            }
            try run.notify("ui.dismiss", #"{"call":"\#(Self.call)","reason":"ended"}"#)
            try run.ping()
        },
        Scenario(
            "asks_users",
            "A question to the user is answered with allow, deny or later, also when it is withdrawn.",
            of: .ui
        ) { run in
            try run.beginAs(.ui)
            guard run.knowsQuestions else {
                throw Stop.notApplicable("the program's hello does not name the feature ask")
            }
            for (number, subject) in QuestionSubject.allCases.enumerated() {
                try run.ask(number, subject)
            }
        },
        Scenario(
            "uses_endpoint", "The endpoint that is in use on the host can be chosen again.",
            of: .audio
        ) { run in
            try run.beginAs(.audio)
            _ = try run.result(
                of: "audio.use_endpoint",
                #"{"endpoint":"\#(try run.usedEndpoint())","deadline_ms":5000}"#)
        },
        Scenario(
            "delays_audio",
            "A request to be ready for the audio of a call is answered, also when it is withdrawn.",
            isOfHandover: true
        ) { run in
            guard run.program.delaysAudio else {
                throw Stop.notApplicable(
                    "the program delays no audio: give --delays-audio, or \"x_delays_audio\"")
            }
            try run.begin()
            let handover =
                #"{"provider":"org.example.phone","group":"\#(Self.call)","#
                + #""calls":["\#(Self.call)"],"deadline_ms":2000}"#
            _ = try run.result(of: "audio.handover", handover)
            let id = try run.wire().ask("audio.handover", handover)
            try run.notify("broker.cancel", #"{"request":\#(id)}"#)
            try run.reply(to: id, "audio.handover")
        },
    ]
}

extension ConformanceRun {
    /// The time for a program that answers by itself; others wait for their users.
    private static let answerMS = 300

    fileprivate var knowsQuestions: Bool {
        let hello = wires.flatMap(\.own).last { $0.method == "broker.hello" }
        return hello?.params["features"]?.elements.contains { $0.string == "ask" } ?? false
    }

    /// Returns the id of the endpoint that the program has reported as in use.
    fileprivate func usedEndpoint() throws -> String {
        let wire = try wire()
        func reported() -> String? {
            let last = wire.own.last { $0.method == "audio.report_endpoints" }
            return last?.params["endpoints"]?.elements.first {
                $0["state"]?.string == "in_use"
            }?["endpoint"]?.string
        }
        wait(until: { reported() != nil })
        guard let endpoint = reported() else {
            throw Stop.notApplicable("the program reports no endpoint that is in use")
        }
        return endpoint
    }

    /// Asks the program a question, and withdraws it if there is no answer soon.
    fileprivate func ask(_ number: Int, _ subject: QuestionSubject) throws {
        let wire = try wire()
        let id = wire.ask(
            "ui.ask",
            #"{"question":\#(number + 1),"subject":"\#(subject.rawValue)","#
                + #""provider":"org.example.phone","display_name":"Phone","deadline_ms":60000}"#)
        if !wait(min(patienceMS, Self.answerMS), until: { wire.replies[id] != nil }) {
            try notify("broker.cancel", #"{"request":\#(id)}"#)
        }
        let reply = try reply(to: id, "ui.ask")
        guard let result = reply["result"] else { return }
        guard result["answer"]?.string.flatMap(QuestionAnswer.init(rawValue:)) != nil else {
            throw Stop.failed("the result has no answer: one of allow, deny, later")
        }
    }
}

extension ConformanceRun {
    /// Starts a program that has the role.
    fileprivate func beginAs(_ role: RoleSet) throws {
        guard program.roles.contains(role) else {
            throw Stop.notApplicable("the manifest does not have this role")
        }
        try begin()
    }

    /// Returns the verdict of a screener on a call.
    ///
    /// - Parameters:
    ///   - call: the id of the call.
    ///   - remote: the caller, as JSON.
    ///   - more: further members of the request, each before a comma.
    fileprivate func verdict(
        on call: String, from remote: String, _ more: String = ""
    ) throws -> String {
        let result = try result(
            of: "screener.check",
            #"{"call":"\#(call)","provider":"org.example.phone","remote":\#(remote),"#
                + #"\#(more)"deadline_ms":1500}"#)
        if let priority = result["priority"], priority.boolean == nil {
            throw Stop.failed("priority must be true or false, or be left out")
        }
        let verdicts = ["continue", "allow", "silence", "block"]
        guard let verdict = result["verdict"]?.string, verdicts.contains(verdict) else {
            throw Stop.failed(
                "the result has no verdict: one of \(verdicts.joined(separator: ", "))")
        }
        return verdict
    }

    /// Returns the result of a request of the suite, whose reply must not be an error.
    fileprivate func result(of method: String, _ params: String) throws -> JSONTree {
        let reply = try reply(to: try wire().ask(method, params), method)
        if let result = reply["result"] { return result }
        throw Stop.failed("\(method) was refused: \(reply["error"]?["message"]?.string ?? "")")
    }
}
