/// A type of push. Raw values are the names of Apple's constants.
public struct PKPushType: RawRepresentable, Hashable, Sendable {
    /// The name of the type.
    public var rawValue: String

    /// Makes a type with a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Pushes that announce calls: the app reports an incoming call for each.
    public static let voIP = PKPushType(rawValue: "PKPushTypeVoIP")
    /// Pushes for a watch face. No call needs to be reported.
    public static let complication = PKPushType(rawValue: "PKPushTypeComplication")
    /// Pushes about changed files. No call needs to be reported.
    public static let fileProvider = PKPushType(rawValue: "PKPushTypeFileProvider")
}

extension PKPushType {
    private static let words: [(type: PKPushType, word: String)] = [
        (.voIP, "voip"), (.complication, "complication"), (.fileProvider, "file_provider"),
    ]

    /// The word of the wire; that of another type is its raw value.
    var word: String {
        Self.words.first { $0.type == self }?.word ?? rawValue
    }

    init(word: String) {
        self = Self.words.first { $0.word == word }?.type ?? PKPushType(rawValue: word)
    }
}

/// The address at which the app's server can push to the app.
open class PKPushCredentials: NSObject {
    /// The type of push that the address is for.
    open private(set) var type: PKPushType
    /// The address in UTF-8, as the gateway on this host has reported it: the URL of an endpoint of
    /// UnifiedPush, for example. Without a gateway it is the app's identity, for `callbroker push`.
    open private(set) var token: Data

    init(type: PKPushType, token: Data) {
        (self.type, self.token) = (type, token)
    }
}

/// What the app's server has sent.
open class PKPushPayload: NSObject {
    /// The type of the push.
    open private(set) var type: PKPushType
    /// The payload, as read from JSON.
    open private(set) var dictionaryPayload: [AnyHashable: Any]

    /// - Parameter json: the text of a JSON object.
    init(type: PKPushType, json: [UInt8]) {
        self.type = type
        let object = try? JSONSerialization.jsonObject(with: Data(json))
        dictionaryPayload = object as? [String: Any] ?? [:]
    }
}

/// What the system says about a VoIP push, since iOS 26.4.
open class PKVoIPPushMetadata: NSObject {
    /// Whether the app has to report a call for the push. Always true: Apple's system spares an app
    /// that is in the foreground or has a call, and the broker does not.
    public let mustReport = true
}
