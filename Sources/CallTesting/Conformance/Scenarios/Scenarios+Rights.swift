internal import CallProtocol

/// Scenarios about programs from which the user takes rights.
extension Scenario {
    static let rights: [Scenario] = [
        Scenario(
            "loses_rights",
            "A program that may see only its own calls from now on comes back with its call, and works "
                + "with that.",
            of: .provider
        ) { run in
            try run.begin()
            let former = try run.liveCall()
            if let former { run.awaitActive(former) }
            try run.leaveOwnCalls()
            if run.program.transport == .connect {
                try run.awaitReturn()
                if let former { try run.endKept(former) }
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
    /// Ends a call with which the program has come back. Its session is another one now, and the call
    /// is the same.
    fileprivate func endKept(_ call: String) throws {
        guard broker.call(call)?["provider_connected"]?.boolean == true else {
            throw Stop.failed("the program had the call \(call), and came back without it")
        }
        try settle(try perform("end", on: call), "end")
    }

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
