internal import CallArbitration
internal import CallModel

/// Requests, with their requesters and options.

/// A requester, written as `user` or `app:org.example.a`.
extension Requester: TranscriptValue {
    private enum Role: String, TranscriptWord {
        case user, app
    }

    func write(to writer: inout TranscriptWriter) {
        switch self {
        case .user: Role.user.write(to: &writer)
        case .app(let provider): writer.append(string: Role.app.rawValue, provider.name)
        }
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> Requester {
        if field.isEqual(to: "user") { return .user }
        let expected = "user, or app: and a provider"
        let (role, provider) = try field.parts(expected: expected)
        guard role.isEqual(to: "app") else { throw field.error(expected: expected) }
        return .app(ProviderID(provider.verbatim))
    }
}

extension CallOptions: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("on_conflict", onConflict, default: .hold)
        writer.member("wait", wait, default: .accepted)
        writer.member("dry_run", isDryRun, default: false)
        writer.member("ends_group", endsGroup, default: false)
        writer.member("deadline_ms", deadlineMS)
        writer.member("transaction", transaction)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init()
        try members.read("on_conflict", into: &onConflict)
        try members.read("wait", into: &wait)
        try members.read("dry_run", into: &isDryRun)
        try members.read("ends_group", into: &endsGroup)
        try members.read("deadline_ms", into: &deadlineMS)
        transaction = try members.optional("transaction")
    }
}

extension TransactionRequest: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("token", token)
        writer.member("by", requester, default: .user)
        writer.member("actions", actions)
        options.writeMembers(to: &writer)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            token: try members.token(), requester: try members.optional("by", default: .user),
            actions: try members.required("actions"), options: try CallOptions(members: &members))
    }
}
