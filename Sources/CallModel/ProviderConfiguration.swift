/// A provider's description of itself at registration. The defaults are those of CallKit's
/// `CXProviderConfiguration` where it has the property.
public struct ProviderConfiguration: Hashable, Sendable {
    /// The app's name as people see it.
    public var displayName: String
    /// The kinds of address that the app can call.
    public var handleKinds: [Handle.Kind]
    /// The URL schemes that the app can dial, such as `tel`.
    public var urlSchemes: [String] = []
    /// Indicates whether the app's calls may have video.
    public var supportsVideo = false
    /// Indicates whether the app's calls may have real-time text.
    public var supportsText = false
    /// The maximum number of call groups at a time.
    public var maxCallGroups = 2
    /// The maximum number of calls in a group.
    public var maxCallsPerGroup = 5
    /// Indicates whether the history lists the app's calls.
    public var includesInRecents = true
    /// The name or the path of the ringtone.
    public var ringtone: String?
    /// The name or the path of the icon.
    public var icon: String?
    /// Deadlines of actions in milliseconds, 1,000 to 600,000. A kind that is left out has the
    /// policy's.
    public var actionDeadlinesMS: [ActionKind: Int] = [:]
    /// The time that a call rings at most, in milliseconds, 5,000 to 120,000; nil for the policy's.
    public var ringTimeoutMS: Int?
    /// The time that calls wait for a lost provider, in milliseconds, 0 to 30,000; nil for the
    /// policy's.
    public var graceMS: Int?
    /// Indicates whether a held call resumes once the call that it was held for ends (rule 16).
    public var resumesWhenFreed = true
    /// Indicates whether the provider accepts several actions as one transaction.
    public var takesTransactions = false
    /// Indicates an adapter: the app is another process, and its calls survive the end of this one
    /// (rule 26).
    public var appIsSeparate = false

    /// The kind of the provider, as it describes itself.
    public var kind = ProviderKind.app

    /// The app's accounts, at most `Line.countMax`; empty if it does not tell them apart.
    public var lines: [Line] = []

    /// The types of push that the app takes, such as `voip`, at most 8.
    public var pushTypes: [String] = []

    /// The name by which the app is started on demand; nil if a call cannot start it. A plugin has
    /// a manifest instead.
    public var startBy: StartBy?

    /// Creates a configuration with the defaults.
    public init(displayName: String, handleKinds: [Handle.Kind]) {
        self.displayName = displayName
        self.handleKinds = handleKinds
    }

    /// Returns whether another configuration describes the same kind of program.
    package func isSameKind(as other: ProviderConfiguration) -> Bool {
        kind == other.kind && appIsSeparate == other.appIsSeparate
    }

    /// Returns whether the app, or one of its lines, can dial a URL scheme.
    package func canDial(_ scheme: String) -> Bool {
        urlSchemes.contains(scheme) || lines.contains { $0.urlSchemes.contains(scheme) }
    }

    /// Returns a line; nil if the app has none with that id.
    package func line(_ id: String) -> Line? {
        lines.first { $0.id == id }
    }

    /// The line that places a call for which none is named; nil if the app chooses.
    package var defaultLine: Line? {
        lines.first(where: \.isDefault)
    }
}
