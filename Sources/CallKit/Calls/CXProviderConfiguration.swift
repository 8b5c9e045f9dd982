internal import CallModel

/// What an app says of itself. A provider takes a copy.
open class CXProviderConfiguration: NSObject, NSCopying {
    /// What people call the app; nil: the name of the program.
    open private(set) var localizedName: String?
    /// The name of a sound, for the screens of the host.
    open var ringtoneSound: String?
    /// Kept for the app. The broker takes names and paths, no pictures.
    open var iconTemplateImageData: Data?
    /// Groups at a time, held and ringing ones included. With 0 no call can be started.
    open var maximumCallGroups = 2
    open var maximumCallsPerCallGroup = 5
    open var includesCallsInRecents = true
    open var supportsVideo = false
    open var supportedHandleTypes: Set<CXHandle.HandleType> = []
    /// Kept for the app: no broker can translate.
    open var supportsAudioTranslation = false
    /// Beyond CallKit: what stands before the colon in links that the app can call, such as `sip`.
    /// Of `tel` and `mailto` its types of handles say it already.
    open var urlSchemes: Set<String> = []

    public override init() {}

    public init(localizedName: String) {
        self.localizedName = localizedName
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CXProviderConfiguration()
        copy.localizedName = localizedName
        copy.ringtoneSound = ringtoneSound
        copy.iconTemplateImageData = iconTemplateImageData
        copy.maximumCallGroups = maximumCallGroups
        copy.maximumCallsPerCallGroup = maximumCallsPerCallGroup
        copy.includesCallsInRecents = includesCallsInRecents
        copy.supportsVideo = supportsVideo
        copy.supportedHandleTypes = supportedHandleTypes
        copy.supportsAudioTranslation = supportsAudioTranslation
        copy.urlSchemes = urlSchemes
        return copy
    }
}

extension CXProviderConfiguration {
    /// CallKit's deadlines, in milliseconds.
    private static let deadlinesMS: [ActionKind: Int] = [
        .start: 600_000, .answer: 60_000, .end: 5_000, .setHeld: 5_000, .setMuted: 5_000,
        .setGroup: 5_000, .playDTMF: 5_000,
    ]

    /// What goes to the broker. Its groups are at least one: for none the controller refuses.
    var registration: ProviderConfiguration {
        let name = localizedName ?? ProcessInfo.processInfo.processName
        let kinds = supportedHandleTypes.sorted { $0.rawValue < $1.rawValue }.map(\.kind)
        var registration = ProviderConfiguration(
            displayName: name.isEmpty ? "app" : name.prefix(bytes: 128),
            handleKinds: kinds.isEmpty ? [.generic] : kinds)
        registration.supportsVideo = supportsVideo
        registration.maxCallGroups = max(1, maximumCallGroups)
        registration.maxCallsPerGroup = max(1, maximumCallsPerCallGroup)
        registration.includesInRecents = includesCallsInRecents
        registration.ringtone = ringtoneSound.flatMap { $0.isEmpty ? nil : $0 }
        registration.actionDeadlinesMS = Self.deadlinesMS
        registration.takesTransactions = true
        registration.urlSchemes = urlSchemes.sorted()
        return registration
    }
}
