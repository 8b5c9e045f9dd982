internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// The requests of users to change what networks keep for lines, such as call forwarding. The
/// settings themselves are reported by the apps with their lines; they decide nothing here.
final class LineSettings: BrokerPart {
    /// A change that the app has not answered.
    private struct Change {
        let target: ReplyTarget
        let app: Peer
        /// The id of the request to the app.
        let request: Int64
        let timer: BrokerTimers.Handle
    }

    private var changes: [Int: Change] = [:]
    private var lastNumber = 0

    /// The number of unanswered changes beyond which an app is sent no more.
    private static let changesMax = 16

    func perform(_ request: LineRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .setSetting(let params):
            let app = try app(for: params, asked: target.peer)
            send(params, to: app, target)
        }
    }

    /// Returns the connection of the app that can make a change, if the client may request it.
    private func app(
        for params: SetLineSettingParams, asked client: Peer
    ) throws(RPCError) -> Peer {
        let provider = params.provider
        guard client.session.map({ $0.provider == provider }) ?? true else {
            throw RPCError(
                .permissionDenied, reason: .roleNotGranted,
                "an app changes the settings of its own lines only")
        }
        guard client.session != nil || !client.rights.isLimited else { throw RPCError.limitedView }
        guard let configuration = broker.arbiter.configuration(of: provider),
            let session = broker.sessions[provider], session.isRegistered
        else { throw Self.unknownProvider }
        guard let line = configuration.line(params.line) else { throw LineChoice.unknownLine }
        guard line.settings.contains(where: { $0.kind == params.setting.kind }) else {
            throw Self.unknownSetting
        }
        guard let app = session.peer else { throw Self.gone }
        guard changes.values.count(where: { $0.app === app }) < Self.changesMax else {
            throw RPCError(.overloaded, reason: .pending, "too many changes wait for an answer")
        }
        return app
    }

    private func send(_ params: SetLineSettingParams, to app: Peer, _ target: ReplyTarget) {
        broker.outbox.postpone(target)
        lastNumber += 1
        let request = app.outgoing.open(.changeSetting(lastNumber))
        let timer = broker.timers.start(
            afterMS: MethodTable.changeLineSettingMS, .changingSetting(lastNumber))
        changes[lastNumber] = Change(target: target, app: app, request: request, timer: timer)
        broker.outbox.request(app, request, "line.change_setting") { writer in
            writer.member("line", params.line)
            writer.members(of: params.setting)
            writer.member("deadline_ms", MethodTable.changeLineSettingMS)
        }
    }

    // MARK: - Ends of changes

    /// Applies the answer of an app.
    func complete(_ number: Int, _ outcome: Message.Outcome) {
        guard let change = remove(number) else { return }
        switch outcome {
        case .error(let error):
            broker.outbox.answer(
                change.target, .failed("the app could not change the setting", error))
        case .result:
            broker.events.bringUpToDate(change.target.peer)
            broker.outbox.answer(change.target) { $0.member("seq", broker.events.seq) }
        }
    }

    /// Handles the time-out of a change.
    func expire(_ number: Int) {
        withdraw(
            number,
            RPCError(
                .deadlineExceeded, reason: .deadlineExceeded,
                "the app did not say in time whether the setting has changed"
            ).with { $0.hint = "provider.list has the setting as the app knows it" })
    }

    /// Cancels a change that a client no longer wants.
    ///
    /// - Returns: false if the client has requested no such change.
    func cancel(_ id: RequestID, of client: Peer) -> Bool {
        let found = changes.first { $0.value.target.peer === client && $0.value.target.id == id }
        guard let number = found?.key else { return false }
        withdraw(
            number, RPCError(.cancelled, reason: .cancelled, "the client cancelled the request"))
        return true
    }

    /// Ends the changes of an app whose connection is lost.
    func disconnect(_ peer: Peer) {
        for number in changes.keys.sorted() where changes[number]?.app === peer {
            if let change = remove(number) { broker.outbox.answer(change.target, Self.gone) }
        }
    }

    /// Ends a change that the app has not answered, and says so to both sides.
    private func withdraw(_ number: Int, _ error: RPCError) {
        guard let change = remove(number) else { return }
        broker.outbox.withdraw(change.request, from: change.app)
        broker.outbox.answer(change.target, error)
    }

    private func remove(_ number: Int) -> Change? {
        guard let change = changes.removeValue(forKey: number) else { return nil }
        broker.timers.cancel(change.timer)
        return change
    }

    // MARK: - Refusals

    private static let unknownProvider = RPCError(
        .notFound, reason: .unknownProvider, "no such provider is registered"
    ).with { $0.field = "/provider" }

    private static let unknownSetting = RPCError(
        .notFound, reason: .unknownSetting, "the line has no such setting that its app can change"
    ).with { $0.field = "/setting" }

    private static let gone = RPCError(
        .providerGone, reason: .providerGone, "the app of the line is not connected")
}
