/// Scenarios about calls on other devices of the same account.
extension Scenario {
    static let external: [Scenario] = [
        Scenario(
            "reports_external",
            "A call on another device is reported as one, and does not ring here."
        ) { run in
            try run.begin()
            let call = try run.callElsewhere()
            try run.ping()
            guard run.broker.call(call)?["state"]?.string == "external" else {
                throw Stop.failed("the call is not listed as one on another device")
            }
        },
        Scenario(
            "answers_pull",
            "A pull of a call on another device is answered once; then the call is here."
        ) { run in
            try run.begin()
            let call = try run.callElsewhere()
            try run.requireSupport("supports_pull", of: call)
            guard try run.settle(try run.pull(call), "answer") else { return }
            if run.broker.call(call)?["state"]?.string != "active" {
                throw Stop.failed("the pull was fulfilled, but the call is not active here")
            }
            try run.settle(try run.perform("end", on: call), "end")
        },
    ]
}

extension ConformanceRun {
    /// Causes a call on another device. Returns its id.
    fileprivate func callElsewhere() throws -> String {
        guard program.isProvider else { throw Stop.notApplicable("the program has no calls") }
        guard let command = program.external else {
            throw Stop.notApplicable(
                "nobody can call its other devices: give --external COMMAND, or \"x_external\"")
        }
        return try report(after: command) {
            ["call.report_external", "call.report_incoming"].contains($0.method)
        }.call
    }

    /// Pulls a call as the user. Returns the id of the request to the program.
    fileprivate func pull(_ call: String) throws -> Int {
        let wire = try wire()
        let count = wire.asked.count
        user.request("call.pull", #"{"call":"\#(call)"}"#)
        func asked() -> Wire.Asked? {
            wire.asked.dropFirst(count).first { $0.kind == "answer" && $0.call == call }
        }
        guard wait(until: { asked() != nil }), let asked = asked() else {
            throw Stop.failed("the broker did not let the user pull the call")
        }
        return asked.id
    }
}
