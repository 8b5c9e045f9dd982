internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// A question to the user: what an app would like to be allowed.
public struct AppQuestion: Sendable {
    /// What is to be allowed. A later release may know more.
    public struct Subject: RawRepresentable, Hashable, Sendable {
        /// The word of the wire.
        public let rawValue: String

        /// Creates a subject from a word of the wire.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Whether the app may have calls.
        public static let calls = Subject(.calls)
        /// Whether calls that the app starts are emergencies where it says so.
        public static let outgoingEmergencies = Subject(.outgoingEmergencies)
        /// Whether calls that the app reports are emergencies where it says so.
        public static let incomingEmergencies = Subject(.incomingEmergencies)

        private init(_ subject: QuestionSubject) {
            rawValue = subject.rawValue
        }
    }

    /// The user's answer.
    public enum Answer: String, Sendable {
        /// The app is allowed what it asked for.
        case allow
        /// The app is denied what it asked for.
        case deny
        /// No decision; the question may come again after ten minutes.
        case later
    }

    /// What is to be allowed.
    public let subject: Subject
    /// The app.
    public let provider: ProviderID
    /// The app's name, as it describes itself; nil if it is not registered.
    public let displayName: String?
    /// The program of the app, as the kernel describes it; nil if unknown.
    public let executable: String?
    /// The id of the Flatpak, or the name of the snap, of the app; nil for others.
    public let sandboxedApp: String?

    /// Reads the params of a request; nil if they are incomplete.
    init?(_ params: JSONValue) {
        guard let word = params["subject"]?.string, let name = params["provider"]?.string else {
            return nil
        }
        subject = Subject(rawValue: word)
        provider = ProviderID(name)
        displayName = params["display_name"]?.string
        executable = params["executable"]?.string
        sandboxedApp = params["app"]?.string
    }
}
