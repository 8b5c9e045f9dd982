internal import CallProtocol

/// Scenarios about programs from which the user takes rights.
extension Scenario {
    static let rights: [Scenario] = [
        Scenario(
            "loses_rights",
            "A program that may see only its own calls from now on comes back, and works with that.",
            of: .provider
        ) { run in
            try run.begin()
            try run.leaveOwnCalls()
            if run.program.transport == .connect {
                try run.awaitReturn()
            } else {
                try run.restartProgram()
            }
            try run.ping()
            guard let call = try run.startCall() else { return }
            try run.settle(try run.perform("end", on: call), "end")
        }
    ]
}

extension ConformanceRun {
    /// Takes the sight of other calls, and of numbers and names, from a program, whose connection is
    /// closed then.
    fileprivate func leaveOwnCalls() throws {
        record("#", "the user lets \(identity) see only its own calls, and nobody's number")
        let before = try wire()
        let rule = #"{"identity":"\#(identity)","calls":"own","redacted":true}"#
        let reply = user.request("policy.set", #"{"rights":[\#(rule)]}"#)
        guard reply.result != nil else {
            throw Stop.cannotStart("the rights cannot be set: \(reply)")
        }
        wait { before.hasEnded || before.client.peer.isClosed }
    }
}
