internal import BrokerJSON
internal import BrokerSocket
internal import CallClient
internal import CallProtocol

/// The test call of a first run: rings, and reports what became of it.
struct SetupTestCall {
    let client: ClientOptions
    let seconds: Double
    let questions: Questions

    /// The end of the call, in words and for programs.
    struct Result {
        let outcome: TestCall.Outcome
        let screen: String?
        let findings: [Finding]

        var hasFailed: Bool {
            ![.answered, .declined, .ended].contains(outcome)
        }
    }

    func run(_ report: inout SetupReport) throws(ToolFailure) -> Result {
        let session = try client.open([.observer, .admin])
        let info = try session.request(.info)
        let screen = info.result["screen"]?.string?.printable
        let call = try TestCall(client.connection)
        defer {
            call.end()
            forgetTestCalls()
        }
        let refusal = try call.ring()
        if refusal == nil { report.say([announcement(of: call, screen)]) }
        if refusal == nil, questions.isAsking {
            StandardError.write(Messages.setupTestPrompt + "\n")
        }
        let end = MonotonicTime.now().advanced(milliseconds: Int(seconds * 1_000))
        let outcome: TestCall.Outcome
        if let refusal {
            outcome = refusal
        } else {
            outcome = try call.wait(until: end, isAsked: questions.isAsking)
        }
        let findings = findings(for: outcome, isSilenced: call.isSilenced)
        let result = Result(outcome: outcome, screen: screen, findings: findings)
        report.say(lines(of: result, isSilenced: call.isSilenced))
        return result
    }

    // MARK: - In words

    private func announcement(of call: TestCall, _ screen: String?) -> String {
        let (name, time) = (Messages.setupTestName, String(Int(seconds)))
        if call.isWaiting { return Messages.setupTestWaits(name: name, seconds: time) }
        if call.isSilenced { return Messages.setupTestRingsSilently(name: name, seconds: time) }
        guard let screen else { return Messages.setupTestRingsUnseen(name: name, seconds: time) }
        return Messages.setupTestRingsOn(name: name, screen: screen, seconds: time)
    }

    private func lines(of result: Result, isSilenced: Bool) -> [String] {
        let head =
            switch result.outcome {
            case .answered:
                result.screen.map { Messages.setupTestAnsweredOn(screen: $0) }
                    ?? Messages.setupTestAnswered
            case .declined: Messages.setupTestDeclined
            case .ended: Messages.setupTestEnded
            case .unanswered: Messages.setupTestUnanswered
            case .unheard: Messages.setupTestUnheard
            case .lost: Messages.setupTestLost
            case .refused(let reason):
                Messages.setupTestRefused(reason: Words.refusal(reason))
            }
        guard result.hasFailed, result.outcome != .lost else { return [head] }
        let silence = isSilenced ? [Messages.setupTestSilenced] : []
        let causes = result.findings.flatMap { finding in
            ["  \(finding.subject): \(finding.message)"]
                + [finding.remedy].compactMap(\.self).map { "    " + $0 }
        }
        return [head] + silence + (causes.isEmpty ? ["  " + Messages.setupTestNoReason] : causes)
    }

    /// Returns what keeps the phone silent, if the call did not reach the user.
    private func findings(for outcome: TestCall.Outcome, isSilenced: Bool) -> [Finding] {
        switch outcome {
        case .answered, .declined, .ended, .lost: []
        case .unanswered, .unheard, .refused:
            (try? client.open([.observer, .admin])).map { SilenceCheck($0).aboutRinging } ?? []
        }
    }

    /// Removes test calls from the history, where they are hidden: also one that was interrupted.
    private func forgetTestCalls() {
        guard let session = try? client.open([.observer, .controller]) else { return }
        let filter: (inout JSONWriter) -> Void = { writer in
            writer.name("filter")
            writer.object { writer in
                writer.member("hidden", true)
                writer.member("provider", TestCall.identity)
            }
        }
        guard let reply = session.requestIfPossible(.listHistory, filter) else { return }
        let numbers = reply.result["entries"]?.elements.compactMap { $0["entry"]?.integer } ?? []
        guard !numbers.isEmpty else { return }
        _ = session.requestIfPossible(.removeHistory) { writer in
            writer.name("entries")
            writer.array { writer in for number in numbers { writer.value(number) } }
        }
    }
}
