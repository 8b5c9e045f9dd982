internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// The requests of users to change what networks keep for lines, such as call forwarding. The
/// settings themselves are reported by the apps with their lines; they decide nothing here.
final class LineSettings: BrokerPart {
    func perform(_ request: LineRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .setSetting(let params):
            let app = try app(for: params, asked: target.peer)
            broker.forwarded.forward(.lineSetting, to: app, target) { writer in
                writer.member("line", params.line)
                writer.members(of: params.setting)
            }
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
        let app = try broker.forwarded.app(of: provider)
        guard let line = broker.configuration(of: provider)?.line(params.line) else {
            throw LineChoice.unknownLine
        }
        guard line.settings.contains(where: { $0.kind == params.setting.kind }) else {
            throw RPCError(
                .notFound, reason: .unknownSetting,
                "the line has no such setting that its app can change"
            ).with { $0.field = "/setting" }
        }
        return app
    }
}
