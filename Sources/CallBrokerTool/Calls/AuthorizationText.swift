internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// An app's authorization, and what the user can do about it.
struct AuthorizationText {
    let provider: String
    let authorization: Authorization

    /// - Parameter provider: an element of `provider.list`.
    init(_ provider: JSONValue) {
        self.provider = provider["provider"]?.string?.printable ?? ""
        let word = provider["authorization"]?.string
        authorization = word.flatMap(Authorization.init(rawValue:)) ?? .authorized
    }

    /// The word for tables.
    var word: String {
        switch authorization {
        case .authorized: Messages.listYes
        case .denied: Messages.listDenied
        case .notDetermined: Messages.listWaiting
        }
    }

    /// The problem; nil if the app may have calls.
    var problem: String? {
        switch authorization {
        case .authorized: nil
        case .denied: Messages.doctorAppDenied(app: provider)
        case .notDetermined: Messages.doctorAppWaits(app: provider)
        }
    }

    /// The command that authorizes the app.
    var remedy: String {
        "callbroker policy set authorization.\(provider)=authorized"
    }
}
