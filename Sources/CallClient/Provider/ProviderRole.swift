package import BrokerJSON
package import CallModel
internal import CallProtocol

/// What happens to a provider, in the order the broker told it.
package enum ProviderEvent: Sendable {
    /// It is registered: for the first time, or again. These calls the broker did not take.
    case registered(dropped: [CallID])
    /// No session could be opened; it is tried again.
    case unavailable(CallError)
    /// The session was lost; it will be opened again.
    case lost
    /// Nothing will come any more.
    case ended(CallError?)
    /// A transaction as a whole, to be answered with `decide`.
    case offered(TransactionID, [ActionRequest])
    /// An action to be settled.
    case asked(ActionRequest)
    /// The broker does not wait for this one any more.
    case withdrawn(ActionID)
    case timedOut(ActionID)
    case audioActivated(group: CallID, calls: [CallID])
    case audioDeactivated(group: CallID, calls: [CallID])
    /// How a call that comes in is to sound from now on, in the broker's word.
    case presentationChanged(CallID, String)
    /// The broker has none of its calls any more.
    case reset
}

/// A provider's part of a session: it registers, names its live calls when it comes back, and
/// answers every action once, whichever connection it is asked on.
package final class ProviderRole: LinkRole {
    /// What is known of an action, under its id: asked for again, it is answered alike.
    private struct Work {
        var request: ActionRequest
        /// The request to answer, in this connection.
        var requestID: Int64?
        var outcome: ActionOutcome?
        /// The transaction was taken: it is settled by a request of ours.
        var isTaken = false
        /// The app is at it, or was.
        var isBegun = false
    }

    /// A transaction that was offered as a whole: offered again, it is decided alike.
    private struct Offer {
        /// The request to answer, in this connection.
        var requestID: Int64?
        let actions: [ActionID]
        var isTaken: Bool?
    }

    /// Calls named in one registration.
    private static let pageSize = 32
    /// Settled actions, and offers, that are remembered.
    private static let settledMax = 256

    private var configuration: ProviderConfiguration
    private let tell: @Sendable (ProviderEvent) -> Void
    private var live = LiveCalls()
    private var work: [ActionID: Work] = [:]
    private var settled: [ActionID] = []
    private var offers: [TransactionID: Offer] = [:]
    private var offered: [TransactionID] = []
    private var wasRegistered = false
    /// The group that has the audio, as far as the app knows.
    private var audioGroup: CallID?

    package init(
        _ configuration: ProviderConfiguration, tell: @escaping @Sendable (ProviderEvent) -> Void
    ) {
        self.configuration = configuration
        self.tell = tell
    }

    // MARK: - The session

    package func open(_ loop: LinkLoop) {
        register(loop, live.listed[...], dropped: [])
    }

    /// One page of calls after the other.
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
        tell(.registered(dropped: dropped))
    }

    package func opened(_ loop: LinkLoop) {}

    package func failedToOpen(_ error: CallError, _ loop: LinkLoop) {
        forgetConnection()
        tell(.unavailable(error))
    }

    package func lost(_ loop: LinkLoop) {
        forgetConnection()
        tell(.lost)
    }

    package func ended(_ error: CallError?) {
        deactivateAudio(nil)
        tell(.ended(error))
    }

    /// What is open comes again, under another id.
    private func forgetConnection() {
        for id in offers.keys { offers[id]?.requestID = nil }
        for id in work.keys {
            work[id]?.requestID = nil
            work[id]?.isTaken = false
        }
    }

    // MARK: - What is asked

    package func receive(_ method: String, id: Int64, _ params: JSONValue?, _ loop: LinkLoop) {
        switch method {
        case MethodName.perform.rawValue: perform(id, params, loop)
        case MethodName.execute.rawValue: execute(id, params, loop)
        default:
            loop.answer(
                id, error: .methodNotFound, reason: "not_supported", "this app does not do that")
        }
    }

    private func perform(_ id: Int64, _ params: JSONValue?, _ loop: LinkLoop) {
        guard let params, let request = ActionRequest(params) else {
            return loop.answer(
                id, error: .methodNotFound, reason: "not_supported",
                "this app does not do actions of this kind")
        }
        if work[request.id] != nil {
            // Asked for again, or part of a transaction that was not taken.
            work[request.id]?.requestID = id
            work[request.id]?.isTaken = false
            if work[request.id]?.outcome != nil { return answer(request.id, loop) }
            if work[request.id]?.isBegun == true { return }
        } else {
            work[request.id] = Work(request: request, requestID: id)
            live.asked(request.action, request.call)
        }
        work[request.id]?.isBegun = true
        tell(.asked(request))
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
        // With an action that we do not know it cannot be taken as a whole.
        guard requests.count == params["actions"]?.count else {
            return loop.answer(id) { $0.member("taken", false) }
        }
        for request in requests where work[request.id] == nil {
            work[request.id] = Work(request: request)
            live.asked(request.action, request.call)
        }
        remember(Offer(requestID: id, actions: requests.map(\.id)), of: transaction)
        tell(.offered(transaction, requests))
    }

    /// Keeps the latest.
    private func remember(_ offer: Offer, of transaction: TransactionID) {
        offers[transaction] = offer
        offered.append(transaction)
        if offered.count > Self.settledMax { offers[offered.removeFirst()] = nil }
    }

    /// Answers an offer. A transaction that is taken is settled action by action.
    package func decide(_ transaction: TransactionID, isTaken: Bool, _ loop: LinkLoop) {
        guard offers[transaction]?.isTaken == nil else { return }
        offers[transaction]?.isTaken = isTaken
        answer(transaction, loop)
    }

    /// Tells the broker, if it has asked and there is a decision.
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
                tell(.presentationChanged(call, word))
            }
        case MethodName.reset.rawValue:
            live.endedAll()
            deactivateAudio(nil)
            tell(.reset)
        default: break
        }
    }

    /// A broker that was away gives the audio anew: for the app it goes on, or changes hands.
    private func activateAudio(_ group: CallID, _ params: JSONValue?) {
        guard audioGroup != group else { return }
        deactivateAudio(nil)
        audioGroup = group
        tell(.audioActivated(group: group, calls: Self.calls(params)))
    }

    /// What was activated is deactivated, once.
    private func deactivateAudio(_ params: JSONValue?) {
        guard let group = audioGroup else { return }
        audioGroup = nil
        tell(.audioDeactivated(group: group, calls: Self.calls(params)))
    }

    private static func calls(_ params: JSONValue?) -> [CallID] {
        params?["calls"].map { $0.elements.compactMap { CallID($0) } } ?? []
    }

    private func timedOut(_ action: ActionID) {
        guard let request = work[action]?.request else { return }
        live.failed(request.action, request.call)
        forget(action)
        tell(.timedOut(action))
        skipRest(of: request)
    }

    /// The broker takes a request back, which it is owed an answer to all the same; or one action of
    /// a transaction that was offered or taken.
    private func withdraw(_ id: Int64, _ action: ActionID?, _ loop: LinkLoop) {
        if let action, work[action]?.requestID == nil {
            work[action]?.isTaken = false
            return tell(.withdrawn(action))
        }
        if let offer = offers.first(where: { $0.value.requestID == id }) {
            offers[offer.key]?.requestID = nil
            return loop.answer(id) { $0.member("taken", false) }
        }
        guard let entry = work.first(where: { $0.value.requestID == id }) else { return }
        callOff(entry.key, loop)
    }

    private func callOff(_ action: ActionID, _ loop: LinkLoop) {
        if let id = work[action]?.requestID {
            work[action]?.requestID = nil
            loop.answer(id, error: .cancelled, reason: "cancelled", "the action was taken back")
        }
        tell(.withdrawn(action))
    }

    // MARK: - What is answered and reported

    /// Settles an action; a second time nothing happens.
    package func settle(_ action: ActionID, _ outcome: ActionOutcome, _ loop: LinkLoop) {
        guard let entry = work[action], entry.outcome == nil else { return }
        work[action]?.outcome = outcome
        switch outcome {
        case .fulfilled: live.fulfilled(entry.request.action, entry.request.call)
        case .failed, .unsupported: live.failed(entry.request.action, entry.request.call)
        }
        forget(action)
        answer(action, loop)
        if !outcome.isFulfilled { skipRest(of: entry.request) }
    }

    /// After a failure what is left of the transaction is not asked for any more.
    private func skipRest(of request: ActionRequest) {
        let rest = work.values.filter {
            $0.request.transaction == request.transaction && !$0.isBegun && $0.outcome == nil
        }
        for entry in rest {
            work[entry.request.id] = nil
            live.failed(entry.request.action, entry.request.call)
            tell(.withdrawn(entry.request.id))
        }
    }

    /// Tells the broker the outcome, in the way it waits for it.
    private func answer(_ action: ActionID, _ loop: LinkLoop) {
        guard let entry = work[action], let outcome = entry.outcome else { return }
        if entry.isTaken {
            work[action]?.isTaken = false
            loop.request(.settleAction, { $0.members(of: outcome, action) }, then: { _ in })
        } else if let id = entry.requestID {
            work[action]?.requestID = nil
            switch outcome {
            case .fulfilled(let atMS):
                loop.answer(id) { if let atMS { $0.member("at_ms", atMS) } }
            case .failed(let reason):
                loop.answer(id, error: .brokerError, reason: reason, "the app did not do it")
            case .unsupported:
                loop.answer(
                    id, error: .methodNotFound, reason: "not_supported",
                    "this app does not do actions of this kind")
            }
        }
    }

    /// Keeps the latest of what is settled.
    private func forget(_ action: ActionID) {
        settled.append(action)
        guard settled.count > Self.settledMax else { return }
        work[settled.removeFirst()] = nil
    }

    /// What the app did by itself, for the next time it has to name its calls.
    package func change(_ change: (inout LiveCalls) -> Void) {
        change(&live)
    }

    /// The app says that a call is over: what was to be done for it is not any more.
    package func ended(_ call: CallID, _ loop: LinkLoop) {
        live.ended(call)
        for entry in work.values where entry.request.call == call && entry.outcome == nil {
            callOff(entry.request.id, loop)
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

    /// The params of `action.settle`.
    fileprivate mutating func members(of outcome: ActionOutcome, _ action: ActionID) {
        member("action", action)
        switch outcome {
        case .fulfilled(let atMS):
            member("outcome", "fulfilled" as StaticString)
            if let atMS { member("at_ms", atMS) }
        case .failed(let reason):
            member("outcome", "failed" as StaticString)
            member("reason", reason)
        case .unsupported:
            member("outcome", "failed" as StaticString)
            member("reason", "not_supported" as StaticString)
        }
    }
}
