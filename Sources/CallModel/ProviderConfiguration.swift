/// What a provider says of itself when it registers; the defaults are CallKit's
/// (`CXProviderConfiguration`) where CallKit has the property.
public struct ProviderConfiguration: Hashable, Sendable {
    public var displayName: String
    public var handleKinds: [Handle.Kind]
    public var urlSchemes: [String] = []
    public var supportsVideo = false
    public var maxCallGroups = 2
    public var maxCallsPerGroup = 5
    public var includesInRecents = true
    public var ringtone: String?
    public var icon: String?
    /// Milliseconds, 1,000 to 600,000, by kind; kinds left out have the policy's.
    public var actionDeadlinesMS: [ActionKind: Int] = [:]
    /// Milliseconds, 5,000 to 120,000; nil is the policy's.
    public var ringTimeoutMS: Int?
    /// Milliseconds, 0 to 30,000; nil is the policy's.
    public var graceMS: Int?
    public var resumesWhenFreed = true
    public var takesTransactions = false
    /// The app goes on talking when this process ends (rule 26): it is an adapter.
    public var appIsSeparate = false

    public init(displayName: String, handleKinds: [Handle.Kind]) {
        self.displayName = displayName
        self.handleKinds = handleKinds
    }
}
