internal import BrokerJSON
internal import BrokerRPC
internal import CallJournal
internal import CallProtocol

/// The credentials that the user has issued, with the methods that issue, list and revoke them. A
/// client that sends one has the rights of its grant, instead of those by the policy.
final class Grants: BrokerPart {
    /// The grants, oldest first.
    private(set) var all: [Grant] = []
    private var timer: BrokerTimers.Handle?

    /// The longest time without a look at the clock, which can be set, and which passes while the
    /// host sleeps.
    private static let checkMS: Int64 = 3_600_000

    func perform(_ request: GrantRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .issue(let params): try issue(params, target)
        case .list: list(target)
        case .revoke(let named): revoke(named, target)
        }
    }

    /// Returns the grant of a credential; nil if it is none for this client.
    func find(_ credential: String, _ identity: String?, uid: UInt32) -> Grant? {
        all.first { grant in
            grant.credential == credential && (grant.uid.map { $0 == Int(uid) } ?? true)
                && (grant.identity == nil || grant.identity == identity)
                && !grant.isOver(at: broker.clock.unixMS)
        }
    }

    // MARK: - Methods

    private func issue(_ params: IssueGrantParams, _ target: ReplyTarget) throws(RPCError) {
        let others = all.filter { $0.name != params.name }
        guard others.count < MethodTable.grantsMax else {
            throw RPCError(.limitReached, reason: .maxEntries, "there are too many grants").with {
                $0.limit = RPCError.Limit(name: "grants", value: MethodTable.grantsMax)
                $0.hint = "revoke one with grant.revoke"
            }
        }
        let grant = Grant(params, until: params.lifetimeMS.map { broker.clock.unixMS + $0 })
        choose(others + [grant])
        broker.journal.whenSynced(target) { [weak self] in
            self?.broker.outbox.reply(target) { writer in
                writer.members(of: grant)
                writer.member("credential", grant.credential)
            }
        }
    }

    private func list(_ target: ReplyTarget) {
        var connections: [String: Int] = [:]
        for peer in broker.peers.ready {
            if let grant = peer.grant { connections[grant.name, default: 0] += 1 }
        }
        broker.outbox.reply(target) { writer in
            writer.name("grants")
            writer.array { writer in
                for grant in all {
                    writer.object { writer in
                        writer.members(of: grant)
                        writer.member("connections", connections[grant.name] ?? 0)
                    }
                }
            }
        }
    }

    private func revoke(_ named: NamedGrant, _ target: ReplyTarget) {
        let others = all.filter { $0.name != named.name }
        let isRevoked = others.count < all.count
        if isRevoked { choose(others) }
        broker.journal.whenSynced(target) { [weak self] in
            self?.broker.outbox.reply(target) { $0.member("revoked", isRevoked) }
        }
    }

    // MARK: - Changing

    /// Journals the grants, and dismisses the clients of those that are gone.
    private func choose(_ grants: [Grant]) {
        broker.journal.append(.grants(grants), isSynced: true)
        all = grants
        broker.peers.dismissRestricted()
        startTimer()
    }

    /// Takes over the grants of an earlier broker.
    func restore(_ grants: [Grant]) {
        all = grants
        startTimer()
    }

    /// Revokes the grants that have ended.
    func expire() {
        timer = nil
        let rest = all.filter { !$0.isOver(at: broker.clock.unixMS) }
        if rest.count < all.count { choose(rest) } else { startTimer() }
    }

    private func startTimer() {
        if let timer { broker.timers.cancel(timer) }
        timer = all.compactMap(\.expiresAtMS).min().map { end in
            let waitMS = min(max(0, end - broker.clock.unixMS), Self.checkMS)
            return broker.timers.start(afterMS: Int(waitMS), .grants)
        }
    }
}

extension Grant {
    fileprivate init(_ params: IssueGrantParams, until expiresAtMS: Int64?) {
        self.init(name: params.name, credential: RandomID.secret(), roles: params.roles)
        (uid, identity) = (params.uid, params.identity)
        calls = params.isForOwnCalls ? .own : .all
        isRedacted = params.isRedacted
        self.expiresAtMS = expiresAtMS
    }
}

extension JSONWriter {
    /// Writes a grant without its credential.
    fileprivate mutating func members(of grant: Grant) {
        member("name", grant.name)
        if let uid = grant.uid { member("uid", uid) }
        member("identity", ifSet: grant.identity)
        member("roles", words: grant.roles)
        member("calls", grant.calls.rawValue)
        member("redacted", grant.isRedacted)
        if let end = grant.expiresAtMS { member("expires_at_ms", end) }
    }
}
