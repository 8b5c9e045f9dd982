internal import CallProtocol

/// Scenarios about calls that make way for all others.
extension Scenario {
    static let background: [Scenario] = [
        Scenario(
            "makes_way",
            "A background call is held when another call is answered, and goes on afterwards.",
            of: .provider
        ) { run in
            try run.begin()
            let call = try run.startedBackgroundCall()
            try run.expectWay(of: call, after: "another call was answered") {
                run.answerCall(of: $0)
            }
        },
        Scenario(
            "makes_way_for_a_start",
            "A background call that came in is held when another call is started, and goes on "
                + "afterwards.",
            of: .provider
        ) { run in
            try run.begin()
            let call = try run.backgroundReport().call
            try run.answerInBackground(call)
            try run.requireSupport("supports_holding", of: call)
            try run.expectWay(of: call, after: "another call was started") {
                run.startCall(of: $0)
            }
        },
        Scenario(
            "starts_background",
            "A background call is started as any other, once no other call is in its way.",
            of: .provider
        ) { run in
            try run.begin()
            guard let plain = try run.startCall() else {
                throw Stop.notApplicable("the program starts no calls")
            }
            try run.settle(try run.perform("end", on: plain), "end")
            let app = run.broker.provider("org.example.other")
            try withExtendedLifetime(app) {
                let other = run.answerCall(of: app)
                if try run.startCall(#","background":true"#) != nil {
                    throw Stop.failed("the broker starts a background call beside another")
                }
                run.user.request("call.end", #"{"call":"\#(other)"}"#)
            }
            try run.startInBackground()
        },
        Scenario(
            "takes_busy",
            "A background call that is refused with busy is given up; without another call, it "
                + "rings.",
            of: .provider
        ) { run in
            try run.begin()
            let app = run.broker.provider("org.example.other")
            try withExtendedLifetime(app) {
                let other = run.answerCall(of: app)
                try run.expectGivenUp(after: try run.wire().own.count, try run.backgroundReport())
                run.user.request("call.end", #"{"call":"\#(other)"}"#)
            }
            let report = try run.backgroundReport()
            guard run.broker.call(report.call)?["state"]?.string == "ringing" else {
                throw Stop.failed("the call does not ring: \(report.refusal)")
            }
        },
        Scenario(
            "waits_in_background",
            "A background call that may not be answered beside another rings on, and is answered "
                + "when that is over.",
            of: .provider
        ) { run in
            try run.begin()
            let call = try run.backgroundReport().call
            let app = run.broker.provider("org.example.other")
            try withExtendedLifetime(app) {
                let other = run.answerCall(of: app)
                try run.expect("waiting", of: call, after: "another call was answered")
                run.user.request("call.answer", #"{"call":"\#(call)"}"#)
                try run.expect("waiting", of: call, after: "its answer was refused with busy")
                run.user.request("call.end", #"{"call":"\#(other)"}"#)
            }
            try run.expect("ringing", of: call, after: "the other call was over")
            try run.answerInBackground(call)
        },
    ]
}

extension ConformanceRun {
    /// Returns an active call of the program that makes way for others.
    fileprivate func startedBackgroundCall() throws -> String {
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

    /// Checks that a call is held while there is another one, of another app.
    ///
    /// - Parameter begin: begins the other call, and returns its id.
    fileprivate func expectWay(
        of call: String, after what: String, _ begin: (FakeProvider) -> String
    ) throws {
        let app = broker.provider("org.example.other")
        try withExtendedLifetime(app) {
            let other = begin(app)
            try expect("held", of: call, after: what)
            user.request("call.end", #"{"call":"\#(other)"}"#)
            try expect("active", of: call, after: "the other call was over")
        }
    }

    /// Starts a background call, which the program must not refuse.
    fileprivate func startInBackground() throws {
        let count = try wire().asked.count
        guard try startCall(#","background":true"#) == nil else { return }
        guard try wire().asked.dropFirst(count).contains(where: { $0.kind == "start" }) else {
            throw Stop.notApplicable("another call of the program is in the way")
        }
        throw Stop.failed("the program starts calls, but none in the background")
    }

    /// Causes a call that the program reports as one that makes way. Returns the report.
    fileprivate func backgroundReport() throws -> Wire.Own {
        guard let command = program.background else {
            throw Stop.notApplicable(
                "nobody can call it in the background: give --background COMMAND, or "
                    + "\"x_background\"")
        }
        let report = try reportIncoming(after: command)
        let claimed = report.params["priority"]?.string ?? "normal"
        guard claimed == "background" else {
            throw Stop.failed("the priority of the call is reported as \(claimed)")
        }
        return report
    }

    fileprivate func answerInBackground(_ call: String) throws {
        try settle(try perform("answer", on: call), "answer")
        try expect("active", of: call, after: "the call was answered")
    }

    /// Checks that a call was refused with `busy`, and that nothing more is reported.
    ///
    /// - Parameter count: the number of the program's requests before the call.
    fileprivate func expectGivenUp(after count: Int, _ report: Wire.Own) throws {
        try ping()
        guard report.reply?["error"]?["data"]?["reason"]?.string == "busy" else {
            throw Stop.failed("the call was not refused with busy: \(report.refusal)")
        }
        let more = try wire().own.dropFirst(count).filter { $0.method.hasPrefix("call.") }
        guard more.allSatisfy({ $0.call == report.call }), more.count(where: { !$0.isDryRun }) == 1
        else {
            throw Stop.failed("the program continues the call: \(more.last?.method ?? "")")
        }
    }

    /// Lets the user start a call of another app. Returns its id.
    fileprivate func startCall(of app: FakeProvider) -> String {
        record("#", "the user starts a call of another app")
        let call = newID()
        user.request(
            "call.start",
            #"{"call":"\#(call)","provider":"\#(app.identity)","#
                + #""remote":{"type":"phone","value":"+15550199"}}"#)
        return call
    }
}
