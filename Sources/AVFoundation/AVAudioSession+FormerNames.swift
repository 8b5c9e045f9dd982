// The names of Swift 4.1 and before, when the constants were global. Apps that still have them also
// write `setCategory(_:with:)`.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Category.ambient`.
@available(*, deprecated, renamed: "AVAudioSession.Category.ambient")
public let AVAudioSessionCategoryAmbient = AVAudioSession.Category.ambient

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Category.soloAmbient`.
@available(*, deprecated, renamed: "AVAudioSession.Category.soloAmbient")
public let AVAudioSessionCategorySoloAmbient = AVAudioSession.Category.soloAmbient

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Category.playback`.
@available(*, deprecated, renamed: "AVAudioSession.Category.playback")
public let AVAudioSessionCategoryPlayback = AVAudioSession.Category.playback

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Category.record`.
@available(*, deprecated, renamed: "AVAudioSession.Category.record")
public let AVAudioSessionCategoryRecord = AVAudioSession.Category.record

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Category.playAndRecord`.
@available(*, deprecated, renamed: "AVAudioSession.Category.playAndRecord")
public let AVAudioSessionCategoryPlayAndRecord = AVAudioSession.Category.playAndRecord

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Category.multiRoute`.
@available(*, deprecated, renamed: "AVAudioSession.Category.multiRoute")
public let AVAudioSessionCategoryMultiRoute = AVAudioSession.Category.multiRoute

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Mode.default`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.default")
public let AVAudioSessionModeDefault = AVAudioSession.Mode.`default`

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Mode.voiceChat`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.voiceChat")
public let AVAudioSessionModeVoiceChat = AVAudioSession.Mode.voiceChat

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Mode.videoChat`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.videoChat")
public let AVAudioSessionModeVideoChat = AVAudioSession.Mode.videoChat

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Mode.gameChat`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.gameChat")
public let AVAudioSessionModeGameChat = AVAudioSession.Mode.gameChat

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Mode.measurement`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.measurement")
public let AVAudioSessionModeMeasurement = AVAudioSession.Mode.measurement

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Mode.spokenAudio`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.spokenAudio")
public let AVAudioSessionModeSpokenAudio = AVAudioSession.Mode.spokenAudio

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Port.builtInMic`.
@available(*, deprecated, renamed: "AVAudioSession.Port.builtInMic")
public let AVAudioSessionPortBuiltInMic = AVAudioSession.Port.builtInMic

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Port.builtInReceiver`.
@available(*, deprecated, renamed: "AVAudioSession.Port.builtInReceiver")
public let AVAudioSessionPortBuiltInReceiver = AVAudioSession.Port.builtInReceiver

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Port.builtInSpeaker`.
@available(*, deprecated, renamed: "AVAudioSession.Port.builtInSpeaker")
public let AVAudioSessionPortBuiltInSpeaker = AVAudioSession.Port.builtInSpeaker

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Port.headsetMic`.
@available(*, deprecated, renamed: "AVAudioSession.Port.headsetMic")
public let AVAudioSessionPortHeadsetMic = AVAudioSession.Port.headsetMic

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Port.headphones`.
@available(*, deprecated, renamed: "AVAudioSession.Port.headphones")
public let AVAudioSessionPortHeadphones = AVAudioSession.Port.headphones

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Port.bluetoothHFP`.
@available(*, deprecated, renamed: "AVAudioSession.Port.bluetoothHFP")
public let AVAudioSessionPortBluetoothHFP = AVAudioSession.Port.bluetoothHFP

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Port.bluetoothA2DP`.
@available(*, deprecated, renamed: "AVAudioSession.Port.bluetoothA2DP")
public let AVAudioSessionPortBluetoothA2DP = AVAudioSession.Port.bluetoothA2DP

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `AVAudioSession.Port.bluetoothLE`.
@available(*, deprecated, renamed: "AVAudioSession.Port.bluetoothLE")
public let AVAudioSessionPortBluetoothLE = AVAudioSession.Port.bluetoothLE

/// The former name of `AVAudioSession.CategoryOptions`.
@available(*, deprecated, renamed: "AVAudioSession.CategoryOptions")
public typealias AVAudioSessionCategoryOptions = AVAudioSession.CategoryOptions

/// The former name of `AVAudioSession.PortOverride`.
@available(*, deprecated, renamed: "AVAudioSession.PortOverride")
public typealias AVAudioSessionPortOverride = AVAudioSession.PortOverride

/// The former name of `AVAudioSession.RouteChangeReason`.
@available(*, deprecated, renamed: "AVAudioSession.RouteChangeReason")
public typealias AVAudioSessionRouteChangeReason = AVAudioSession.RouteChangeReason

/// The former name of `AVAudioSession.InterruptionType`.
@available(*, deprecated, renamed: "AVAudioSession.InterruptionType")
public typealias AVAudioSessionInterruptionType = AVAudioSession.InterruptionType

/// The former name of `AVAudioSession.InterruptionOptions`.
@available(*, deprecated, renamed: "AVAudioSession.InterruptionOptions")
public typealias AVAudioSessionInterruptionOptions = AVAudioSession.InterruptionOptions

/// The former name of `AVAudioSession.SetActiveOptions`.
@available(*, deprecated, renamed: "AVAudioSession.SetActiveOptions")
public typealias AVAudioSessionSetActiveOptions = AVAudioSession.SetActiveOptions

/// The former name of `AVAudioSession.RecordPermission`.
@available(*, deprecated, renamed: "AVAudioSession.RecordPermission")
public typealias AVAudioSessionRecordPermission = AVAudioSession.RecordPermission

/// The former name of `AVAudioSession.ErrorCode`.
@available(*, deprecated, renamed: "AVAudioSession.ErrorCode")
public typealias AVAudioSessionErrorCode = AVAudioSession.ErrorCode

extension NSNotification.Name {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The former name of `AVAudioSession.interruptionNotification`.
    @available(*, deprecated, renamed: "AVAudioSession.interruptionNotification")
    public static let AVAudioSessionInterruption = AVAudioSession.interruptionNotification
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The former name of `AVAudioSession.routeChangeNotification`.
    @available(*, deprecated, renamed: "AVAudioSession.routeChangeNotification")
    public static let AVAudioSessionRouteChange = AVAudioSession.routeChangeNotification
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The former name of `AVAudioSession.mediaServicesWereResetNotification`.
    @available(*, deprecated, renamed: "AVAudioSession.mediaServicesWereResetNotification")
    public static let AVAudioSessionMediaServicesWereReset =
        AVAudioSession.mediaServicesWereResetNotification
}

extension AVAudioSession {
    /// The former form of `setCategory(_:options:)`.
    @available(*, deprecated, renamed: "setCategory(_:options:)")
    public func setCategory(_ category: Category, with options: CategoryOptions) throws {
        try setCategory(category, options: options)
    }

    /// The former form of `setActive(_:options:)`.
    @available(*, deprecated, renamed: "setActive(_:options:)")
    public func setActive(_ active: Bool, with options: SetActiveOptions) throws {
        try setActive(active, options: options)
    }
}
