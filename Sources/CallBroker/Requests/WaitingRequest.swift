internal import CallArbitration
internal import CallModel

/// A request that the arbiter decides about: where its reply goes, and what it looks like.
struct WaitingRequest {
    enum Form {
        /// Done, or not.
        case plain
        case incomingCall
        /// With calls that its app may not go on with, whatever there is room for.
        case registration(dropping: [CallID])
        case transaction(CallOptions)
    }

    /// Nil if whoever asked is gone for good.
    var target: ReplyTarget?
    let form: Form
    /// The reply did not come at once: its id is reserved.
    var isPostponed = false
    /// The plan was accepted, and that was said; it is not done yet.
    var isAccepted = false
}

extension CallOptions {
    /// Chosen by the client: the reply is kept, for one who asks twice.
    var kept: TransactionID? {
        isDryRun ? nil : transaction
    }
}
