import CallKit
import Intents

/// Whatever asks the app to call somebody: a link, or something that the user did before.
protocol StartCallConvertible {
    var startCallHandle: String? { get }
    var isVideo: Bool? { get }
}

extension StartCallConvertible {
    var isVideo: Bool? { nil }
}

extension URL: StartCallConvertible {
    private static let schemes = ["speakerbox", "tel"]

    /// What stands behind the scheme, as in `speakerbox:+15550100` and `tel:+15550100`.
    var startCallHandle: String? {
        guard let scheme, Self.schemes.contains(scheme) else { return nil }
        return host ?? String(absoluteString.dropFirst(scheme.count + 1))
    }
}

extension NSUserActivity: StartCallConvertible {
    var startCallHandle: String? {
        contacts?.first?.personHandle?.value
    }

    var isVideo: Bool? {
        switch interaction?.intent {
        case let intent as INStartCallIntent: intent.callCapability == .videoCall
        case is INStartVideoCallIntent: true
        default: false
        }
    }

    private var contacts: [INPerson]? {
        switch interaction?.intent {
        case let intent as INStartCallIntent: intent.contacts
        case let intent as INStartAudioCallIntent: intent.contacts
        case let intent as INStartVideoCallIntent: intent.contacts
        default: nil
        }
    }
}
