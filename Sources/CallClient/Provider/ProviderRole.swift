package import BrokerJSON
package import CallModel
internal import CallProtocol

/// An event of a provider, in the order in which the broker sent them.
package enum ProviderEvent: Sendable {
    /// The provider is registered, for the first time or again, without these calls, which the
    /// broker did not accept.
    case registered(dropped: [CallID])
    /// A session could not be opened. Another attempt follows.
    case unavailable(CallError)
    /// The session was lost. It is opened again.
    case lost
    /// The last event.
    case ended(CallError?)
    /// A transaction is offered as a whole, to be answered with `decide`.
    case offered(TransactionID, [ActionRequest])
    /// An action is requested, to be answered with `settle`.
    case requested(ActionRequest)
    /// The broker has cancelled an action.
    case withdrawn(ActionID)
    /// An action has failed because it took too long.
    case timedOut(ActionID)
    case audioActivated(group: CallID, calls: [CallID])
    case audioDeactivated(group: CallID, calls: [CallID])
    /// The sound of an incoming call has changed, to a word of the wire.
    case presentationChanged(CallID, String)
    /// The user has decided whether the app may have calls, in a word of the wire.
    case authorizationChanged(String)
    /// The address for pushes of a type has changed, or is no longer valid.
    case pushTokenChanged(type: String, token: String?)
    /// The app has reported no call for a VoIP push; the broker may deliver no more.
    case pushUnreported(isStopped: Bool)
    /// A change of a line's setting is requested, to be answered with `settle`.
    case requestedOfApp(AppRequest)
    /// The broker has none of the provider's calls any more.
    case reset
}

/// The role of a provider: it registers, lists its calls when it registers again, and answers every
/// action once, on whichever connection it is requested.
package final class ProviderRole: LinkRole {
    /// The state of an action by its id, so that a repeated request gets the same answer.
    private struct Work {
        var request: ActionRequest
        /// The request to answer on this connection.
        var requestID: Int64?
        var outcome: ActionOutcome?
        /// The app took the transaction over, so the outcome is sent with a request of the client.
        var isTaken = false
        /// The app has received the action.
        var isBegun = false
    }

    /// A transaction that was offered as a whole, so that a repeated offer gets the same answer.
    private struct Offer {
        /// The request to answer on this connection.
        var requestID: Int64?
        let actions: [ActionID]
        var isTaken: Bool?
    }

    /// The most calls in one registration.
    private static let pageSize = 32
    /// The most settled actions, and the most offers, that are kept.
    private static let settledMax = 256

    private var configuration: ProviderConfiguration
    private let onEvent: @Sendable (ProviderEvent) -> Void
    private var live = LiveCalls()
    private var work: [ActionID: Work] = [:]
    private var settled: [ActionID] = []
    private var offers: [TransactionID: Offer] = [:]
    private var offered: [TransactionID] = []
    private var appRequests = AppRequests()
    private var wasRegistered = false
    /// The group whose audio activation the app has received.
    private var audioGroup: CallID?

    package init(
        _ configuration: ProviderConfiguration, onEvent: @escaping @Sendable (ProviderEvent) -> Void
    ) {
        self.configuration = configuration
        self.onEvent = onEvent
    }

    // MARK: - The session

    package func open(_ loop: LinkLoop) {
        register(loop, live.listed[...], dropped: [])
    }

    /// Registers with one page of calls after the other.
    private func register(_ loop: LinkLoop, _ rest: ArraySlice<LiveCalls.Entry>, dropped: [CallID])
    {
        let page = rest.prefix(Self.pageSize)
        let more = rest.dropFirst(Self.pageSize)
        loop.request(.register, isOpening: true) { writer in
            writer.members(of: configuration)
            if wasRegistered || !rest.isEmpty { writer.member("calls", page) }
            if !more.isEmpty { writer.member("more", true) }
        } then: { [self] result in
            switch result {
            case .failure(let error): loop.cannotOpen(error)
            case .success(let reply):
                let calls = reply["dropped"].map { $0.elements.compactMap { CallID($0) } } ?? []
                guard more.isEmpty else {
                    return register(loop, more, dropped: dropped + calls)
                }
                registered(loop, dropped: dropped + calls)
            }
        }
    }

    private func registered(_ loop: LinkLoop, dropped: [CallID]) {
        wasRegistered = true
        for call in dropped { live.ended(call) }
        loop.opened()
        onEvent(.registered(dropped: dropped))
    }

    package func opened(_ loop: LinkLoop) {}

    package func failedToOpen(_ error: CallError, _ loop: LinkLoop) {
        forgetConnection()
        onEvent(.unavailable(error))
    }

    package func lost(_ loop: LinkLoop) {
        forgetConnection()
        onEvent(.lost)
    }

    package func ended(_ error: CallError?) {
        deactivateAudio(nil)
        onEvent(.ended(error))
    }

    /// Drops the ids of open requests, which the broker repeats under other ids.
    private func forgetConnection() {
        appRequests.removeAll()
        for id in offers.keys { offers[id]?.requestID = nil }
        for id in work.keys {
            work[id]?.requestID = nil
            work[id]?.isTaken = false
        }
    }

    // MARK: - Requests of the broker

    package func receive(_ method: String, id: Int64, _ params: JSONValue?, _ loop: LinkLoop) {
        switch method {
        case MethodName.perform.rawValue: perform(id, params, loop)
        case MethodName.execute.rawValue where configuration.takesTransactions:
            execute(id, params, loop)
        default:
            if let request = appRequests.begin(method, id, params) {
                return onEvent(.requestedOfApp(request))
            }
            loop.answer(
                id, error: .methodNotFound, reason: "not_supported",
                "this app does not support the method")
        }
    }

    private func perform(_ id: Int64, _ params: JSONValue?, _ loop: LinkLoop) {
        guard let params, let request = ActionRequest(params) else {
            return loop.answer(
                id, error: .methodNotFound, reason: "not_supported",
                "this app does not support actions of this kind")
        }
        if work[request.id] != nil {
            // A repeated request, or part of a transaction that the app did not take over.
            work[request.id]?.requestID = id
            work[request.id]?.isTaken = false
            if work[request.id]?.outcome != nil { return answer(request.id, loop) }
            if work[request.id]?.isBegun == true { return }
        } else {
            work[request.id] = Work(request: request, requestID: id)
            live.requested(request.action, request.call)
        }
        work[request.id]?.isBegun = true
        onEvent(.requested(request))
    }

    private func execute(_ id: Int64, _ params: JSONValue?, _ loop: LinkLoop) {
        guard let params, let transaction = TransactionID(params["transaction"]),
            let elements = params["actions"]?.elements
        else { return loop.answer(id) { $0.member("taken", false) } }
        if offers[transaction] != nil {
            offers[transaction]?.requestID = id
            return answer(transaction, loop)
        }
        let requests = elements.compactMap { ActionRequest($0, in: transaction, of: params) }
        // A transaction with an unknown action cannot be taken over as a whole.
        guard requests.count == params["actions"]?.count else {
            return loop.answer(id) { $0.member("taken", false) }
        }
        for request in requests where work[request.id] == nil {
            work[request.id] = Work(request: request)
            live.requested(request.action, request.call)
        }
        store(Offer(requestID: id, actions: requests.map(\.id)), of: transaction)
        onEvent(.offered(transaction, requests))
    }

    /// Stores an offer, and drops the oldest if there are too many.
    private func store(_ offer: Offer, of transaction: TransactionID) {
        offers[transaction] = offer
        offered.append(transaction)
        if offered.count > Self.settledMax { offers[offered.removeFirst()] = nil }
    }

    /// Decides an offer. The actions of a transaction that is taken over are settled one by one.
    package func decide(_ transaction: TransactionID, isTaken: Bool, _ loop: LinkLoop) {
        guard offers[transaction]?.isTaken == nil else { return }
        offers[transaction]?.isTaken = isTaken
        answer(transaction, loop)
    }

    /// Answers an offer, if there are both a request and a decision.
    private func answer(_ transaction: TransactionID, _ loop: LinkLoop) {
        guard let offer = offers[transaction], let id = offer.requestID,
            let isTaken = offer.isTaken
        else { return }
        offers[transaction]?.requestID = nil
        loop.answer(id) { $0.member("taken", isTaken) }
        guard isTaken else { return }
        for action in offer.actions {
            work[action]?.isTaken = true
            work[action]?.isBegun = true
            if work[action]?.outcome != nil { answer(action, loop) }
        }
    }

    package func receive(notification method: String, _ params: JSONValue?, _ loop: LinkLoop) {
        switch method {
        case MethodName.timedOut.rawValue:
            if let action = ActionID(params?["action"]) { timedOut(action) }
        case MethodName.cancel.rawValue:
            if let id = params?["request"]?.integer {
                withdraw(id, ActionID(params?["action"]), loop)
            }
        case MethodName.audioActivated.rawValue:
            if let group = CallID(params?["group"]) { activateAudio(group, params) }
        case MethodName.audioDeactivated.rawValue: deactivateAudio(params)
        case MethodName.presentation.rawValue:
            if let call = CallID(params?["call"]), let word = params?["presentation"]?.string {
                onEvent(.presentationChanged(call, word))
            }
        case MethodName.authorizationChanged.rawValue:
            if let word = params?["status"]?.string { onEvent(.authorizationChanged(word)) }
        case MethodName.pushToken.rawValue:
            if let type = params?["type"]?.string {
                onEvent(.pushTokenChanged(type: type, token: params?["token"]?.string))
            }
        case MethodName.unreportedPush.rawValue:
            onEvent(.pushUnreported(isStopped: params?["stopped"]?.boolean ?? false))
        case MethodName.reset.rawValue:
            live.endedAll()
            deactivateAudio(nil)
            onEvent(.reset)
        default: break
        }
    }

    /// Handles an activation. A broker that was unreachable activates the audio again: for the app
    /// the audio continues, or moves to another group.
    private func activateAudio(_ group: CallID, _ params: JSONValue?) {
        guard audioGroup != group else { return }
        deactivateAudio(nil)
        audioGroup = group
        onEvent(.audioActivated(group: group, calls: Self.calls(params)))
    }

    /// Sends one deactivation for an activation.
    private func deactivateAudio(_ params: JSONValue?) {
        guard let group = audioGroup else { return }
        audioGroup = nil
        onEvent(.audioDeactivated(group: group, calls: Self.calls(params)))
    }

    private static func calls(_ params: JSONValue?) -> [CallID] {
        params?["calls"].map { $0.elements.compactMap { CallID($0) } } ?? []
    }

    private func timedOut(_ action: ActionID) {
        guard let request = work[action]?.request else { return }
        live.failed(request.action, request.call)
        retire(action)
        onEvent(.timedOut(action))
        skipRest(of: request)
    }

    /// Handles the cancellation of a request, which must still be answered, or of one action of a
    /// transaction that was offered or taken over.
    private func withdraw(_ id: Int64, _ action: ActionID?, _ loop: LinkLoop) {
        if let action, work[action]?.requestID == nil {
            work[action]?.isTaken = false
            return onEvent(.withdrawn(action))
        }
        if let offer = offers.first(where: { $0.value.requestID == id }) {
            offers[offer.key]?.requestID = nil
            return loop.answer(id) { $0.member("taken", false) }
        }
        if appRequests.withdraw(id) {
            return loop.answer(
                id, error: .cancelled, reason: "cancelled", "the request was cancelled")
        }
        guard let entry = work.first(where: { $0.value.requestID == id }) else { return }
        cancelAction(entry.key, loop)
    }

    private func cancelAction(_ action: ActionID, _ loop: LinkLoop) {
        if let id = work[action]?.requestID {
            work[action]?.requestID = nil
            loop.answer(id, error: .cancelled, reason: "cancelled", "the action was cancelled")
        }
        onEvent(.withdrawn(action))
    }

    // MARK: - Replies and reports

    /// Stores the outcome of an action and sends it. A second outcome has no effect.
    package func settle(_ action: ActionID, _ outcome: ActionOutcome, _ loop: LinkLoop) {
        guard let entry = work[action], entry.outcome == nil else { return }
        work[action]?.outcome = outcome
        switch outcome {
        case .fulfilled: live.fulfilled(entry.request.action, entry.request.call)
        case .failed, .ended, .unsupported: live.failed(entry.request.action, entry.request.call)
        }
        retire(action)
        answer(action, loop)
        if !outcome.isFulfilled { skipRest(of: entry.request) }
    }

    /// Asks for more time for an action that is in progress on this connection.
    package func extend(_ action: ActionID, byMS extension: Int, _ loop: LinkLoop) {
        guard let id = work[action]?.requestID else { return }
        loop.notify(.progress) { writer in
            writer.member("request", id)
            writer.member("extend_ms", `extension`)
        }
    }

    /// Withdraws the rest of a transaction after a failure.
    private func skipRest(of request: ActionRequest) {
        let rest = work.values.filter {
            $0.request.transaction == request.transaction && !$0.isBegun && $0.outcome == nil
        }
        for entry in rest {
            work[entry.request.id] = nil
            live.failed(entry.request.action, entry.request.call)
            onEvent(.withdrawn(entry.request.id))
        }
    }

    /// Sends an outcome, as a request if the transaction was taken over, otherwise as the reply.
    private func answer(_ action: ActionID, _ loop: LinkLoop) {
        guard let entry = work[action], let outcome = entry.outcome else { return }
        if entry.isTaken {
            work[action]?.isTaken = false
            loop.request(.settleAction, { $0.members(of: outcome, action) }, then: { _ in })
        } else if let id = entry.requestID {
            work[action]?.requestID = nil
            loop.answer(id, outcome)
        }
    }

    /// Answers a request that is no action, unless it was withdrawn or its connection is lost.
    func settle(request number: Int, _ outcome: ActionOutcome, _ loop: LinkLoop) {
        if let id = appRequests.end(number) { loop.answer(id, outcome) }
    }

    /// Marks an action as settled, and drops the oldest if there are too many.
    private func retire(_ action: ActionID) {
        settled.append(action)
        guard settled.count > Self.settledMax else { return }
        work[settled.removeFirst()] = nil
    }

    /// Applies a change that the app made by itself.
    package func change(_ change: (inout LiveCalls) -> Void) {
        change(&live)
    }

    /// Applies the app's report that a call ended, and cancels its actions.
    package func ended(_ call: CallID, _ loop: LinkLoop) {
        live.ended(call)
        for entry in work.values where entry.request.call == call && entry.outcome == nil {
            cancelAction(entry.request.id, loop)
        }
    }

    package func change(_ configuration: ProviderConfiguration) {
        self.configuration = configuration
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: StaticString, _ calls: ArraySlice<LiveCalls.Entry>) {
        self.name(name)
        array { writer in
            for call in calls {
                writer.object { writer in
                    writer.member("call", call.call)
                    writer.member("direction", call.direction.word)
                    writer.member("state", call.state.word)
                    if case .set(let remote) = call.update.remote {
                        writer.member("remote", remote)
                    } else {
                        writer.name("remote")
                        writer.null()
                    }
                    writer.members(of: call.update, withRemote: false)
                }
            }
        }
    }

    /// Writes the params of `action.settle`.
    fileprivate mutating func members(of outcome: ActionOutcome, _ action: ActionID) {
        member("action", action)
        switch outcome {
        case .fulfilled(let atMS):
            member("outcome", "fulfilled" as StaticString)
            if let atMS { member("at_ms", atMS) }
        case .failed(let reason):
            member("outcome", "failed" as StaticString)
            member("reason", reason)
        case .ended(let detail):
            member("outcome", "failed" as StaticString)
            member("reason", detail.word)
            member("message", ifSet: detail.text)
            member("app_code", ifSet: detail.code)
        case .unsupported:
            member("outcome", "failed" as StaticString)
            member("reason", "not_supported" as StaticString)
        }
    }
}
