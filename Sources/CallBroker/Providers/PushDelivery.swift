internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallModel
internal import CallProtocol
internal import Logging

/// The pushes of servers to their apps: those that wait for an app, and those that an app handles.
/// They are in memory only, and no rule decides about them; what an app does with one is to report a
/// call.
final class PushDelivery: BrokerPart {
    private struct Push {
        let id: String
        let provider: ProviderID
        let type: String
        /// JSON.
        let payload: [UInt8]
        /// The client that waits until the push is handled.
        let target: ReplyTarget?
        /// The request to the app; nil while the push waits for it.
        var request: (app: Peer, id: Int64)?
        /// True if the app has reported a call since the delivery.
        var hasCall = false
        var timer: BrokerTimers.Handle?
        /// True if the app has left while the push waits, and is started once more.
        var hasRestarted = false
    }

    /// The VoIP pushes after which an app has reported no call.
    private struct Unreported {
        var total = 0
        var inARow = 0
    }

    private var pushes: [Int: Push] = [:]
    private var lastNumber = 0
    /// The apps that have left in this turn while pushes wait for them.
    private var left: Set<ProviderID> = []
    private var unreported: [ProviderID: Unreported] = [:]

    /// The pushes that may be under way for one app, and for all.
    private static let countMax = (ofApp: 32, ofHost: 256)
    /// The unreported pushes in a row after which an app gets no more.
    private static let inARowMax = 5
    /// The apps whose unreported pushes are counted: beyond it, those that are gone are dropped.
    private static let countedMax = 1_024

    func perform(_ request: PushRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .deliver(let params): try deliver(params, target)
        case .setToken(let params): try broker.pushTokens.set(params, target)
        case .reset(let params):
            unreported[params.provider] = nil
            broker.outbox.reply(target) { _ in }
        }
    }

    // MARK: - Delivery

    private func deliver(_ params: DeliverPushParams, _ target: ReplyTarget) throws(RPCError) {
        let provider = params.provider
        try checkThatItIsKnown(provider, to: target.peer)
        try broker.policy.checkAuthorized(provider, .requestTransaction)
        guard params.type != PushSchemas.voip || !isStopped(provider) else { throw Self.stopped }
        guard pushes.count < Self.countMax.ofHost,
            pushes.values.count(where: { $0.provider == provider }) < Self.countMax.ofApp
        else { throw Self.queueFull }
        let absent = params.ttlMS > 0 ? try broker.demand.absentProvider(provider) : nil
        let push = Push(
            id: RandomID.uuid(), provider: provider, type: params.type, payload: params.payload,
            target: params.waitsForCompletion ? target : nil)
        if params.waitsForCompletion { broker.outbox.postpone(target) }
        let isDelivered = begin(push, absent, params.ttlMS)
        guard !params.waitsForCompletion else { return }
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            writer.member("push", push.id)
            writer.member("delivered", isDelivered)
            if absent != nil { writer.member("started", true) }
        }
    }

    /// Sends a push to its app, or has it wait, and the app started.
    ///
    /// - Returns: whether it was sent.
    private func begin(
        _ push: Push, _ absent: ProviderDemand.AbsentProvider?, _ ttlMS: Int
    ) -> Bool {
        lastNumber += 1
        let number = lastNumber
        pushes[number] = push
        if let app = receiver(of: push) {
            send(number, to: app)
            return true
        }
        pushes[number]?.timer = broker.timers.start(afterMS: ttlMS, .push(number))
        if let absent { broker.demand.start([absent]) }
        return false
    }

    /// Checks that there is such an app, for this client.
    func checkThatItIsKnown(_ provider: ProviderID, to client: Peer) throws(RPCError) {
        guard client.sees(callsOf: provider), broker.demand.configuration(of: provider) != nil
        else {
            throw RPCError(
                .notFound, reason: .unknownProvider, "no such app is registered or can be started"
            ).with { $0.field = "/provider" }
        }
    }

    /// Returns the connection of the app, if it takes such pushes now.
    private func receiver(of push: Push) -> Peer? {
        app(of: push.provider, taking: push.type)
    }

    func app(of provider: ProviderID, taking type: String) -> Peer? {
        guard let session = broker.sessions[provider], session.isRegistered,
            broker.configuration(of: provider)?.pushTypes.contains(type) ?? false
        else { return nil }
        return session.peer
    }

    /// Sends the app that has registered its tokens, and the pushes that have waited for it.
    func bringUpToDate(_ provider: ProviderID) {
        broker.pushTokens.send(to: provider)
        for number in pushes.keys.sorted() {
            guard let push = pushes[number], push.provider == provider, push.request == nil,
                let app = receiver(of: push)
            else { continue }
            send(number, to: app)
        }
    }

    /// Handles an app that has left, or whose plugin has ended: a push that came when the app was
    /// about to leave waits for one that nobody starts. Each push causes one more start.
    func handleExit(of provider: ProviderID) {
        let waiting = pushes.filter {
            $0.value.provider == provider && $0.value.request == nil && !$0.value.hasRestarted
        }
        if !waiting.isEmpty { left.insert(provider) }
    }

    /// Starts the apps that have left, once per turn.
    func update() {
        guard !left.isEmpty, !broker.isStopping else { return }
        let absent = left.sorted().compactMap { try? broker.demand.absentProvider($0) }
        left = []
        for one in absent {
            for (number, push) in pushes where push.provider == one.provider {
                pushes[number]?.hasRestarted = true
            }
        }
        broker.demand.start(absent)
    }

    private func send(_ number: Int, to app: Peer) {
        guard var push = pushes[number] else { return }
        if let timer = push.timer { broker.timers.cancel(timer) }
        let request = app.outgoing.open(.push(number))
        push.request = (app, request)
        push.timer = broker.timers.start(afterMS: MethodTable.receivePushMS, .push(number))
        pushes[number] = push
        broker.outbox.request(app, request, "push.received") { writer in
            writer.member("push", push.id)
            writer.member("type", push.type)
            writer.name("payload")
            writer.value(json: push.payload)
            writer.member("deadline_ms", MethodTable.receivePushMS)
        }
    }

    // MARK: - Ends

    /// Records that an app has reported a call, refused or not. An app may have several providers,
    /// and any of them may report: the process is the app.
    func recordReport(by client: Peer) {
        for (number, push) in pushes {
            guard let app = push.request?.app, app.isSameProcess(as: client) else { continue }
            pushes[number]?.hasCall = true
        }
    }

    /// Applies the answer of an app.
    func complete(_ number: Int, _ outcome: Message.Outcome) {
        guard let push = remove(number) else { return }
        count(push)
        guard let target = push.target else { return }
        if case .error(let error) = outcome {
            let failure = RPCError.failed("the app could not handle the push", error)
            return broker.outbox.answer(target, failure)
        }
        broker.events.bringUpToDate(target.peer)
        broker.outbox.answer(target) { writer in
            writer.member("push", push.id)
            writer.member("delivered", true)
            writer.member("reported_call", push.hasCall)
        }
    }

    /// Handles the time-out of a push: its app has not registered, or has not handled it.
    func expire(_ number: Int) {
        guard let push = remove(number) else { return }
        if let request = push.request {
            broker.outbox.withdraw(request.id, from: request.app)
            count(push)
        }
        let message =
            push.request == nil
            ? "the app did not register for such pushes in time"
            : "the app did not say in time that it has handled the push"
        guard let target = push.target else { return }
        broker.outbox.answer(
            target, RPCError(.deadlineExceeded, reason: .deadlineExceeded, message))
    }

    /// Answers a client that no longer waits. A push that its app has goes on.
    ///
    /// - Returns: false if the client has delivered no such push.
    func cancel(_ id: RequestID, of client: Peer) -> Bool {
        let found = pushes.first {
            $0.value.target?.peer === client && $0.value.target?.id == id
        }
        guard let (number, push) = found, let target = push.target else { return false }
        if push.request == nil { _ = remove(number) }
        broker.outbox.answer(
            target, RPCError(.cancelled, reason: .cancelled, "the client cancelled the request"))
        return true
    }

    /// Ends the pushes that an app had when its connection was lost.
    func disconnect(_ peer: Peer) {
        for number in pushes.keys.sorted() where pushes[number]?.request?.app === peer {
            guard let target = remove(number)?.target else { continue }
            broker.outbox.answer(
                target,
                RPCError(
                    .providerGone, reason: .providerGone,
                    "the app went away before it had handled the push"))
        }
    }

    private func remove(_ number: Int) -> Push? {
        guard let push = pushes.removeValue(forKey: number) else { return nil }
        if let timer = push.timer { broker.timers.cancel(timer) }
        return push
    }

    // MARK: - Apps that report no calls

    private func isStopped(_ provider: ProviderID) -> Bool {
        unreported[provider].map { $0.inARow >= Self.inARowMax } ?? false
    }

    /// Counts a VoIP push that is over, by whether its app has reported a call.
    private func count(_ push: Push) {
        guard push.type == PushSchemas.voip, let request = push.request else { return }
        guard !push.hasCall else {
            unreported[push.provider]?.inARow = 0
            return
        }
        let count = increment(push.provider)
        broker.logger.error(
            """
            \(push.provider.name) never posted an incoming call to the system after receiving a \
            PushKit VoIP push callback (\(count) in a row)
            """)
        broker.outbox.notify(request.app, "push.unreported") { writer in
            writer.member("push", push.id)
            writer.member("in_a_row", count)
            writer.member("stopped", isStopped(push.provider))
        }
    }

    /// - Returns: the number of unreported pushes in a row.
    private func increment(_ provider: ProviderID) -> Int {
        if unreported.count >= Self.countedMax {
            unreported = unreported.filter { broker.demand.configuration(of: $0.key) != nil }
        }
        var count = unreported[provider] ?? Unreported()
        count.total += 1
        count.inARow += 1
        unreported[provider] = count
        return count.inARow
    }

    /// Writes the number of unreported pushes of an app, for `provider.list`.
    func writeCount(of provider: ProviderID, to writer: inout JSONWriter) {
        guard let count = unreported[provider] else { return }
        writer.member("unreported_pushes", count.total)
        if isStopped(provider) { writer.member("pushes_stopped", true) }
    }

    private static let stopped = RPCError(
        .invalidState, reason: .pushesStopped,
        "the app has reported no call after the latest VoIP pushes, and gets no more"
    ).with {
        $0.field = "/provider"
        $0.hint = "callbroker push IDENTITY --reset, when the app is mended"
    }

    private static let queueFull = RPCError(
        .overloaded, reason: .pushQueueFull, "too many pushes wait for the app, or for all apps"
    ).with {
        $0.retryable = true
        $0.retryAfterMS = 1_000
    }
}
