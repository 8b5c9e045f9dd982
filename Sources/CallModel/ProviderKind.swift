/// Kinds of providers, by their words on the wire. No rule depends on the kind.
public enum ProviderKind: String, CaseIterable, Sendable {
    /// An app that has calls of its own.
    case app
    /// A program that represents an app that knows nothing of the broker.
    case adapter
    /// A program that represents a modem, whose calls need no app.
    case modem
    /// A program that sees the calls of an app, and cannot control them.
    case watched
}
