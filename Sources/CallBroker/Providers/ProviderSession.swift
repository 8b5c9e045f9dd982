internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel

/// The session of a provider, from its hello on. It outlives a connection for a while, and can be
/// resumed in another one.
final class ProviderSession {
    let provider: ProviderID
    /// The id and secret with which a client resumes the session: `hello.resume`.
    let key: SessionKey
    /// The connection; nil while it is lost.
    var peer: Peer?
    /// True if the provider is registered; set by `SessionTable`, and copied when a session replaces
    /// another.
    var isRegistered = false
    /// The reset to send if the provider does not list the calls that it may have.
    var reset: ResetReason?
    /// True if the session has replaced another without its key: the client may not know of its audio.
    var isNewcomer = false
    /// The plugin that is the provider, if it has a manifest.
    var plugin: Plugin?
    /// The latest configuration, for the calls that end when the arbiter removes the provider.
    var configuration: ProviderConfiguration?
    /// The watch for the exit of its process.
    var process: ProcessWatch?

    init(provider: ProviderID, key: SessionKey) {
        self.provider = provider
        self.key = key
    }
}

extension ProviderSession {
    /// The stored form.
    var stored: StoredSession {
        StoredSession(provider: provider, id: key.id, secret: key.secret)
    }
}

/// The id of a session and the secret that authenticates its client.
struct SessionKey: Equatable {
    let id: String
    let secret: String

    static func random() -> SessionKey {
        SessionKey(id: RandomID.uuid(), secret: RandomID.secret())
    }
}
