internal import BrokerJSON
public import CallModel
internal import CallProtocol

extension CallController {
    /// Changes what the network keeps for a line, such as call forwarding, and waits for the network:
    /// up to a minute.
    ///
    /// - Parameters:
    ///   - setting: the new values of one of the line's `settings`; forwarding that is on needs `to`.
    ///   - line: the id of the line.
    ///   - provider: the app that has the line.
    /// - Throws: `CallError`: `notFound` (no such app, line or setting), `providerFailed` with the
    ///   network's reason, `providerGone` or `deadlineExceeded`.
    public func change(
        _ setting: LineSetting, of line: String, at provider: ProviderID
    ) async throws(CallError) {
        try await link.request(
            .setLineSetting,
            { writer in
                writer.member("provider", provider)
                writer.member("line", line)
                writer.members(of: setting)
            }
        ) { _ in () }
    }
}
