internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// The reports of apps about the quality of their calls. They decide nothing, so they are neither
/// numbered nor in the journal.
final class CallQualityReports: BrokerPart {
    /// The least time between two reports about a call that count, in milliseconds.
    private static let intervalMS: Int64 = 1_000

    /// The times of the latest reports, of calls that have not ended.
    private var reportedAt: [CallID: MonotonicTime] = [:]

    /// Publishes a report, unless another about the call has just been published.
    func report(
        _ params: ReportQualityParams, by provider: ProviderID
    ) throws(RPCError) {
        let call = params.call
        try broker.checkThat(provider, has: call)
        let now = broker.clock.now
        if let last = reportedAt[call], now.milliseconds - last.milliseconds < Self.intervalMS {
            return
        }
        reportedAt[call] = now
        broker.trace.record(params.quality, of: call)
        for subscription in broker.events.subscriptions(to: .callQuality)
        where subscription.peer.sees(callsOf: provider)
            && subscription.peer.belongs(to: broker.calls.audience(of: call))
            && !subscription.isBehind
            && broker.turn.maySendEvent() && !broker.peers.isOverSoftBound(subscription.connection)
        {
            broker.events.publishUnnumbered(.callQuality, call, to: subscription) { writer in
                writer.member("call", call)
                writer.members(of: params.quality)
            }
        }
    }

    /// Forgets a call that has ended.
    func remove(_ call: CallID) {
        reportedAt[call] = nil
    }
}
