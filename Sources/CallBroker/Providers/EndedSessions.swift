internal import BrokerSocket
internal import CallArbitration
internal import CallModel

/// The latest sessions of providers that have ended, or that were replaced by a client without their
/// secret. A client with the secret may resume one.
///
/// The secret of a replaced session is valid for a while: an app that was away for a moment regains its
/// identity, and an app that wakes after hours ends nothing.
struct EndedSessions {
    private static let countMax = 256
    /// The longest grace of a provider.
    private static let claimMS = 30_000

    private struct Former {
        let provider: ProviderID
        let key: SessionKey
        let reset: ResetReason?
        var at: MonotonicTime
        /// The order of ending.
        let number: Int
    }

    private var sessions: [String: Former] = [:]
    /// The ids in the order of ending; some may have been removed since.
    private var ids: [(id: String, number: Int)] = []
    private var lastNumber = 0

    /// Adds a session.
    ///
    /// - Parameter reset: the reset that its provider was not sent yet; nil if it had no calls at the
    ///   end.
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

    /// Returns the reset to send to a client that resumes a session which has ended; nil if it had
    /// no calls. The client of an unknown session may have some.
    func reset(_ id: String) -> ResetReason? {
        guard let known = sessions[id] else { return .brokerReset }
        return known.reset
    }

    // MARK: - Replaced sessions

    /// Returns the key of an earlier session if the secret is right and still valid.
    func key(
        of provider: ProviderID, _ resume: (session: String, secret: String), at now: MonotonicTime
    ) -> SessionKey? {
        guard let former = sessions[resume.session], former.provider == provider,
            former.key.secret == resume.secret,
            now < former.at.advanced(milliseconds: Self.claimMS)
        else { return nil }
        return former.key
    }

    /// Records that one session has replaced another. If an earlier session has returned, the secrets
    /// of all later ones become invalid.
    mutating func replace(
        _ other: ProviderSession, by session: ProviderSession, at now: MonotonicTime
    ) {
        guard let elder = sessions[session.key.id] else {
            return add(other, .brokerReset, at: now)
        }
        for former in sessions.values
        where former.provider == elder.provider && former.number >= elder.number {
            sessions[former.key.id] = nil
        }
    }

    /// Restarts the validity of all secrets.
    mutating func renew(at now: MonotonicTime) {
        for id in sessions.keys { sessions[id]?.at = now }
    }
}

extension ResetReason {
    /// Creates the reset to send when a removed provider returns.
    init?(_ removal: RemovalReason) {
        switch removal {
        case .graceExpired: self = .graceExpired
        case .revoked: self = .admin
        case .unregistered, .processExited, .disconnected: return nil
        }
    }
}
