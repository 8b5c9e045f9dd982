internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// Whether an app may have calls, and what the user can do about it.
struct ProviderStanding {
    let provider: String
    let authorization: Authorization

    /// - Parameter provider: one of `provider.list`.
    init(_ provider: JSONValue) {
        self.provider = provider["provider"]?.string?.printable ?? ""
        let word = provider["authorization"]?.string
        authorization = word.flatMap(Authorization.init(rawValue:)) ?? .authorized
    }

    /// In a table.
    var word: String {
        switch authorization {
        case .authorized: "yes"
        case .denied: "denied"
        case .notDetermined: "waiting"
        }
    }

    /// What is the matter; nil if it may have calls.
    var complaint: String? {
        switch authorization {
        case .authorized: nil
        case .denied: "\(provider) is denied: it may have no calls"
        case .notDetermined: "\(provider) waits to be allowed: it may have no calls yet"
        }
    }

    /// The command that allows it.
    var remedy: String {
        "callbroker policy set authorization.\(provider)=authorized"
    }
}
