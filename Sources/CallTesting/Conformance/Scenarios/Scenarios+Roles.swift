internal import CallProtocol

/// Scenarios about roles other than that of a provider.
extension Scenario {
    private static let call = "7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b01"
    private static let remote = #"{"type":"phone","value":"+15550123"}"#

    static let roles: [Scenario] = [
        Scenario("screens_calls", "A screener answers each check with a verdict.", of: .screener) {
            run in
            try run.beginAs(.screener)
            let verdicts = ["continue", "allow", "silence", "block"]
            for remote in [Self.remote, "null"] {
                let result = try run.result(
                    of: "screener.check",
                    #"{"call":"\#(Self.call)","provider":"org.example.phone","remote":\#(remote),"#
                        + #""deadline_ms":1500}"#)
                guard let verdict = result["verdict"]?.string, verdicts.contains(verdict) else {
                    throw Stop.failed(
                        "the result has no verdict: one of \(verdicts.joined(separator: ", "))")
                }
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
    ]
}

extension ConformanceRun {
    /// Starts a program that has the role.
    fileprivate func beginAs(_ role: RoleSet) throws {
        guard program.roles.contains(role) else {
            throw Stop.notApplicable("the manifest does not have this role")
        }
        try begin()
    }

    /// Returns the result of a request of the suite, whose reply must not be an error.
    fileprivate func result(of method: String, _ params: String) throws -> JSONTree {
        let reply = try reply(to: try wire().ask(method, params), method)
        if let result = reply["result"] { return result }
        throw Stop.failed("\(method) was refused: \(reply["error"]?["message"]?.string ?? "")")
    }
}
