internal import BrokerJSON
internal import BrokerRPC
internal import CallModel
internal import CallProtocol

/// Requests of clients that the app of a line or a call performs on its own, such as call forwarding or
/// the muting of a participant. The broker checks and forwards them; they change nothing about its
/// calls, and are not in the journal.
final class ForwardedRequests: BrokerPart {
    /// What a client asks of an app.
    enum Purpose {
        case lineSetting
        case participant
        case text(CallText, CallID, ProviderID)
    }

    /// A request that the app has not answered.
    private struct Pending {
        let purpose: Purpose
        let target: ReplyTarget
        let app: Peer
        /// The id of the request to the app.
        let request: Int64
        let timer: BrokerTimers.Handle
    }

    private var pending: [Int: Pending] = [:]
    private var lastNumber = 0

    /// The number of unanswered requests beyond which an app is sent no more.
    private static let pendingMax = 16

    /// Returns the connection of a provider's app.
    ///
    /// - Throws: `not_found` of a provider that is not registered, `provider_gone` of one that is not
    ///   connected, `overloaded` if too many requests wait for it.
    func app(of provider: ProviderID) throws(RPCError) -> Peer {
        guard let session = broker.sessions[provider], session.isRegistered else {
            throw Self.unknownProvider
        }
        guard let app = session.peer else { throw Self.gone }
        guard pending.values.count(where: { $0.app === app }) < Self.pendingMax else {
            throw RPCError(.overloaded, reason: .pending, "too many requests wait for the app")
        }
        return app
    }

    /// Sends a request to an app, and its answer to the client.
    func forward(
        _ purpose: Purpose, to app: Peer, _ target: ReplyTarget,
        _ params: (inout JSONWriter) -> Void
    ) {
        broker.outbox.postpone(target)
        lastNumber += 1
        let request = app.outgoing.open(.forwarded(lastNumber, purpose.method))
        let timer = broker.timers.start(
            afterMS: purpose.deadlineMS, .forwardedRequest(lastNumber))
        pending[lastNumber] = Pending(
            purpose: purpose, target: target, app: app, request: request, timer: timer)
        broker.outbox.request(app, request, purpose.methodName) { writer in
            params(&writer)
            writer.member("deadline_ms", purpose.deadlineMS)
        }
    }

    // MARK: - Ends of requests

    /// Applies the answer of an app.
    func complete(_ number: Int, _ outcome: Message.Outcome) {
        guard let done = remove(number) else { return }
        switch outcome {
        case .error(let error):
            broker.outbox.answer(done.target, .failed(done.purpose.failure, error))
        case .result:
            if case .text(let text, let call, let provider) = done.purpose {
                broker.texts.publish(text, of: call, provider)
            }
            broker.events.bringUpToDate(done.target.peer)
            broker.outbox.answer(done.target) { $0.member("seq", broker.events.seq) }
        }
    }

    /// Handles the time-out of a request.
    func expire(_ number: Int) {
        guard let purpose = pending[number]?.purpose else { return }
        withdraw(
            number,
            RPCError(.deadlineExceeded, reason: .deadlineExceeded, purpose.lateness).with {
                $0.hint = purpose.hint
            })
    }

    /// Cancels a request that a client no longer wants.
    ///
    /// - Returns: false if the client has made no such request.
    func cancel(_ id: RequestID, of client: Peer) -> Bool {
        let found = pending.first { $0.value.target.peer === client && $0.value.target.id == id }
        guard let number = found?.key else { return false }
        withdraw(
            number, RPCError(.cancelled, reason: .cancelled, "the client cancelled the request"))
        return true
    }

    /// Ends the requests to an app whose connection is lost.
    func disconnect(_ peer: Peer) {
        for number in pending.keys.sorted() where pending[number]?.app === peer {
            if let lost = remove(number) { broker.outbox.answer(lost.target, Self.gone) }
        }
    }

    /// Ends a request that the app has not answered, and says so to both sides.
    private func withdraw(_ number: Int, _ error: RPCError) {
        guard let late = remove(number) else { return }
        broker.outbox.withdraw(late.request, from: late.app)
        broker.outbox.answer(late.target, error)
    }

    private func remove(_ number: Int) -> Pending? {
        guard let found = pending.removeValue(forKey: number) else { return nil }
        broker.timers.cancel(found.timer)
        return found
    }

    private static let unknownProvider = RPCError(
        .notFound, reason: .unknownProvider, "no such provider is registered"
    ).with { $0.field = "/provider" }

    private static let gone = RPCError(
        .providerGone, reason: .providerGone, "the app is not connected")
}

extension ForwardedRequests.Purpose {
    fileprivate var method: MethodName {
        switch self {
        case .lineSetting: .changeLineSetting
        case .participant: .changeParticipant
        case .text: .transmitText
        }
    }

    fileprivate var methodName: StaticString {
        switch self {
        case .lineSetting: "line.change_setting"
        case .participant: "participant.change"
        case .text: "provider.send_text"
        }
    }

    fileprivate var deadlineMS: Int {
        switch self {
        case .lineSetting: MethodTable.changeLineSettingMS
        case .participant: MethodTable.changeParticipantMS
        case .text: MethodTable.sendTextMS
        }
    }

    fileprivate var failure: String {
        switch self {
        case .lineSetting: "the app could not change the setting"
        case .participant: "the app could not change the participant"
        case .text: "the app could not send the text"
        }
    }

    fileprivate var lateness: String {
        switch self {
        case .lineSetting: "the app did not say in time whether the setting has changed"
        case .participant: "the app did not say in time whether the participant has changed"
        case .text: "the app did not say in time whether the text was sent"
        }
    }

    fileprivate var hint: String? {
        switch self {
        case .lineSetting: "provider.list has the setting as the app knows it"
        case .participant: "participant.list has the participant as the app knows it"
        case .text: nil
        }
    }
}
