internal import BrokerSocket
internal import CallArbitration
internal import CallModel

/// The latest sessions of providers that are over, or that somebody without their secret has taken the
/// place of: whoever has the secret may want to go on with one.
///
/// The secret of a session that was taken counts for a while: so an app that was away for a moment has
/// its identity again, and one that wakes after hours ends nothing.
struct FormerSessions {
    private static let countMax = 256
    /// No provider has a longer grace.
    private static let claimMS = 30_000

    private struct Former {
        let provider: ProviderID
        let key: SessionKey
        let reset: ResetReason?
        var at: MonotonicTime
        /// Who came earlier goes first.
        let number: Int
    }

    private var sessions: [String: Former] = [:]
    /// The earliest first. Some may be gone already.
    private var ids: [(id: String, number: Int)] = []
    private var lastNumber = 0

    /// - Parameter reset: What its provider has not heard yet; nil if it had no calls when it was over.
    mutating func add(_ session: ProviderSession, _ reset: ResetReason?, at now: MonotonicTime) {
        lastNumber += 1
        let key = session.key
        sessions[key.id] = Former(
            provider: session.provider, key: key, reset: reset, at: now, number: lastNumber)
        ids.append((key.id, lastNumber))
        guard ids.count > Self.countMax else { return }
        let oldest = ids.removeFirst()
        if sessions[oldest.id]?.number == oldest.number { sessions[oldest.id] = nil }
    }

    /// What becomes of the calls of somebody who wants to go on with a session that there is not; nil
    /// if it had none. Of a session that nobody knows it may have some.
    func reset(_ id: String) -> ResetReason? {
        guard let known = sessions[id] else { return .brokerReset }
        return known.reset
    }

    // MARK: - Identities that were taken

    /// Whether the secret is that of an earlier session, and counts still.
    func key(
        of provider: ProviderID, _ resume: (session: String, secret: String), at now: MonotonicTime
    ) -> SessionKey? {
        guard let former = sessions[resume.session], former.provider == provider,
            former.key.secret == resume.secret,
            now < former.at.advanced(milliseconds: Self.claimMS)
        else { return nil }
        return former.key
    }

    /// One session has taken the place of another. If it is the earlier one that is back, it comes before
    /// all that came after it, whose secrets count for nothing any more.
    mutating func note(
        _ session: ProviderSession, insteadOf other: ProviderSession, at now: MonotonicTime
    ) {
        guard let elder = sessions[session.key.id] else {
            return add(other, .brokerReset, at: now)
        }
        for former in sessions.values
        where former.provider == elder.provider && former.number >= elder.number {
            sessions[former.key.id] = nil
        }
    }

    /// From now on everybody has as much time again.
    mutating func renew(at now: MonotonicTime) {
        for id in sessions.keys { sessions[id]?.at = now }
    }
}

extension ResetReason {
    /// What a provider that was removed has to be told when it is back.
    init?(_ removal: RemovalReason) {
        switch removal {
        case .graceExpired: self = .graceExpired
        case .revoked: self = .admin
        case .unregistered, .processExited, .disconnected: return nil
        }
    }
}
