internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel

/// A provider, from its hello on: it outlives a connection for a while, and goes on in another one.
final class ProviderSession {
    let provider: ProviderID
    /// What a client has to show to go on with it: `hello.resume`.
    let key: SessionKey
    /// Nil while its connection is lost.
    var peer: Peer?
    /// The arbiter knows it; `SessionTable` sets it, and copies it when a session takes the place of another.
    var isRegistered = false
    /// What it has to be told if it says nothing of the calls that it may have.
    var reset: ResetReason?
    /// It took the place of another without its key: whoever has come may not know of its audio.
    var isNewcomer = false
    /// Whose it is, if it is one of those that we start or know.
    var plugin: Plugin?
    /// What people call it, as of its registration: the arbiter forgets a provider at once, and its
    /// calls end then.
    var displayName: String?
    /// Tells when its process has gone.
    var process: ProcessWatch?

    init(provider: ProviderID, key: SessionKey) {
        self.provider = provider
        self.key = key
    }
}

extension ProviderSession {
    /// As it is kept.
    var stored: StoredSession {
        StoredSession(provider: provider, id: key.id, secret: key.secret)
    }
}

/// Names a session, and proves that it is one's own.
struct SessionKey: Equatable {
    let id: String
    let secret: String

    static func random() -> SessionKey {
        SessionKey(id: RandomID.uuid(), secret: RandomID.secret())
    }
}
