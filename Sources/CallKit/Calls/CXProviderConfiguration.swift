internal import CallModel

/// The description of an app: its name, its limits and the addresses it can call. A provider copies
/// it when it is made and when its `configuration` is set, so later changes to this object have no
/// effect.
open class CXProviderConfiguration: NSObject, NSCopying {
    /// The name that users know the app by; nil stands for the name of the process. The broker
    /// receives at most 128 bytes of it.
    open private(set) var localizedName: String?
    /// The name of a sound in the app's folder, with its extension, or of one of the host. The
    /// screens of the host play it; an app plays its own ringtone where none of them does.
    open var ringtoneSound: String?
    /// A picture in PNG format, at most 1 MiB, which the screens of the host show. It is stored
    /// among the user's caches, because the broker accepts names and paths, but not pictures.
    open var iconTemplateImageData: Data?
    /// The most call groups at a time, held and ringing ones included; 2 by default, as in CallKit.
    /// With 0 every `CXStartCallAction` is refused as `maximumCallGroupsReached`.
    open var maximumCallGroups = 2
    /// The most calls in one group; 5 by default, as in CallKit. Less than 1 counts as 1.
    open var maximumCallsPerCallGroup = 5
    /// True if the history of the host shows calls of this app. The default is true.
    open var includesCallsInRecents = true
    /// True if calls of this app can have video. The default is false.
    open var supportsVideo = false
    /// The kinds of addresses that the app offers to call. Empty, as by default, it offers none:
    /// the user's calls from outside the app go to another one, if there is one that can. The app
    /// itself may call any address.
    open var supportedHandleTypes: Set<CXHandle.HandleType> = []
    /// Stored for the app only: the broker cannot translate.
    open var supportsAudioTranslation = false
    /// The schemes of links that the app can call, such as `sip`; an addition to CallKit. `tel` and
    /// `mailto` follow from `supportedHandleTypes`.
    open var urlSchemes: Set<String> = []

    /// The time that an action of any kind may take, in milliseconds; nil for CallKit's times.
    package var deadlineMS: Int?

    /// Makes a configuration with CallKit's defaults and the name of the process.
    public override init() {}

    /// Makes a configuration with CallKit's defaults and a name. Deprecated by Apple in iOS 14, not
    /// here.
    public init(localizedName: String) {
        self.localizedName = localizedName
    }

    /// Returns a `CXProviderConfiguration` with the same values.
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
        copy.deadlineMS = deadlineMS
        return copy
    }
}

extension CXProviderConfiguration {
    /// CallKit's deadlines by kind of action, in milliseconds.
    private static let deadlinesMS: [ActionKind: Int] = [
        .start: 600_000, .answer: 60_000, .end: 5_000, .setHeld: 5_000, .setMuted: 5_000,
        .setGroup: 5_000, .playDTMF: 5_000,
    ]

    /// The configuration as the broker receives it. The wire's minimum is one group: that a
    /// provider has none is checked by the controller, which refuses its starts.
    func registration(of identity: String) -> ProviderConfiguration {
        let name = localizedName ?? ProcessInfo.processInfo.processName
        let kinds = supportedHandleTypes.sorted { $0.rawValue < $1.rawValue }.map(\.kind)
        var registration = ProviderConfiguration(
            displayName: name.isEmpty ? "app" : name.prefix(bytes: 128),
            handleKinds: kinds)
        registration.supportsVideo = supportsVideo
        registration.maxCallGroups = max(1, maximumCallGroups)
        registration.maxCallsPerGroup = max(1, maximumCallsPerCallGroup)
        registration.includesInRecents = includesCallsInRecents
        registration.ringtone = ringtoneSound.flatMap {
            AppFiles.sound(named: $0, in: AppFiles.folders)
        }
        registration.icon = iconTemplateImageData.flatMap {
            AppFiles.storeIcon($0, of: identity, in: AppFiles.iconFolder)
        }
        registration.actionDeadlinesMS = Self.deadlinesMS.mapValues { deadlineMS ?? $0 }
        registration.takesTransactions = true
        registration.urlSchemes = urlSchemes.sorted()
        return registration
    }
}
