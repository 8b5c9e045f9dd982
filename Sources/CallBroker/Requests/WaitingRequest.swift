internal import BrokerSocket
internal import CallArbitration
internal import CallModel

/// A request that the arbiter decides about: the destination and the form of its reply.
struct WaitingRequest {
    enum Form {
        /// An empty result, or an error.
        case plain
        case incomingCall
        /// A registration, with the calls that its app has to drop in any case.
        case registration(dropping: [CallID])
        case transaction(CallOptions)
    }

    /// Nil if the client has disconnected and cannot return.
    var target: ReplyTarget?
    let form: Form
    /// The time at which the broker received it, or at which it was restored after a restart.
    let since: MonotonicTime
    /// True if the reply was not sent at once: the request's id is reserved.
    var isPostponed = false
    /// True if the acceptance of the plan was sent, and the plan is not completed.
    var isAccepted = false
    /// The providers that a dry run would start.
    var wouldStart: [ProviderID] = []
    /// The calls that it starts with video.
    var videoStarts: Set<CallID> = []
    /// What follows the tones that it plays and the numbers that it dials, after a pause.
    var tones: [CallID: PausedTones] = [:]
}

extension CallOptions {
    /// The transaction id that the client chose, under which the reply is kept.
    var kept: TransactionID? {
        isDryRun ? nil : transaction
    }
}
