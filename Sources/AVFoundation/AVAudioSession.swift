@_exported public import Foundation
internal import Synchronization

/// The audio session of the process. The broker decides when microphone and speaker may be used,
/// and reports it with the provider delegate's `didActivate` and `didDeactivate`; the session
/// itself plays, records and routes nothing.
///
/// The page "The modules beside CallKit" lists what works and what is refused. Every member may be
/// used from any thread.
open class AVAudioSession: NSObject, @unchecked Sendable {
    // The lock guards all that changes.
    private let lock = NSLock()
    private var settings = (category: Category.soloAmbient, mode: Mode.default)
    private var options: CategoryOptions = []
    /// The providers that have the audio. One process may have two, whose activation and
    /// deactivation arrive in any order.
    private var holders: Set<ObjectIdentifier> = []
    let route = Mutex(RouteState())

    private static let shared = AVAudioSession()

    /// Returns the one session of the process.
    open class func sharedInstance() -> AVAudioSession { shared }

    // MARK: - Settings, which only the app reads

    /// The category set last; `soloAmbient` at first, as Apple documents it. It affects no sound.
    open var category: Category { lock.withLock { settings.category } }
    /// The mode set last; `default` at first. It affects no sound.
    open var mode: Mode { lock.withLock { settings.mode } }
    /// The options set with the last category; none at first. They affect no sound.
    open var categoryOptions: CategoryOptions { lock.withLock { options } }

    /// Stores a category for the app, keeps the mode and clears the options. Never throws on Linux.
    open func setCategory(_ category: Category) throws {
        try setCategory(category, mode: mode, options: [])
    }

    /// Stores a category with options for the app, and keeps the mode. Never throws on Linux.
    open func setCategory(_ category: Category, options: CategoryOptions) throws {
        try setCategory(category, mode: mode, options: options)
    }

    /// Stores a category, a mode and options for the app. Never throws on Linux.
    open func setCategory(
        _ category: Category, mode: Mode, options: CategoryOptions = []
    ) throws {
        lock.withLock {
            settings = (category, mode)
            self.options = options
        }
    }

    /// Stores a mode for the app. Never throws on Linux.
    open func setMode(_ mode: Mode) throws {
        lock.withLock { settings.mode = mode }
    }

    // MARK: - The grant

    /// Records whether a provider may use microphone and speaker now. CallKit's providers call it
    /// when the broker gives or takes the audio.
    package func setGranted(_ isGranted: Bool, to provider: AnyObject) {
        let holder = ObjectIdentifier(provider)
        lock.withLock {
            _ = isGranted ? holders.insert(holder).inserted : holders.remove(holder) != nil
        }
        if isGranted { followRoute() }
    }

    /// Succeeds if the session is in the requested state already, and is refused otherwise: only
    /// the broker activates and deactivates the audio (CallKit's rule that an app does not activate
    /// the session itself, enforced).
    ///
    /// - Throws: an `NSError` of `NSOSStatusErrorDomain`: `insufficientPriority` for an activation
    ///   that the broker has not granted, `isBusy` for a deactivation while a call has the audio.
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        guard active == lock.withLock({ holders.isEmpty }) else { return }
        throw active
            ? Self.refusal(
                .insufficientPriority,
                "the broker has not granted this app the audio, and does so only while one of its "
                    + "calls is active: wait for provider(_:didActivate:)")
            : Self.refusal(
                .isBusy,
                "a call of this app has the audio until it is held or ends: hold or end the call")
    }

    // MARK: - Settings of the sound server

    /// Accepts `none` and refuses `speaker`, because the broker does not route audio.
    ///
    /// - Throws: an `NSError` with the code `unspecified`.
    open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
        guard portOverride != .none else { return }
        throw Self.refusal(
            .unspecified, "the broker does not route audio: choose the output in the sound server")
    }

    /// Always refused: the sound server chooses the sample rate.
    ///
    /// - Parameter sampleRate: in hertz; ignored.
    /// - Throws: an `NSError` with the code `unspecified`.
    open func setPreferredSampleRate(_ sampleRate: Double) throws {
        throw Self.refusal(
            .unspecified, "the sound server sets the sample rate: configure it there")
    }

    /// Always refused: the sound server chooses its buffers.
    ///
    /// - Parameter duration: in seconds; ignored.
    /// - Throws: an `NSError` with the code `unspecified`.
    open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        throw Self.refusal(
            .unspecified, "the sound server sets the buffer duration: configure it there")
    }

    /// Always false: the session does not know of other programs' sound.
    open var isOtherAudioPlaying: Bool { false }

    /// Whether any microphone of the host is known to be there; true while nothing is known.
    open var isInputAvailable: Bool {
        followRoute()
        return route.withLock { $0.ports.isEmpty || $0.ports.contains { $0.input != nil } }
    }

    static func refusal(_ code: ErrorCode, _ message: String) -> NSError {
        NSError(
            domain: NSOSStatusErrorDomain, code: code.rawValue,
            userInfo: [NSLocalizedDescriptionKey: message])
    }
}

extension AVAudioSession {
    /// The purpose of an app's sound, such as `playAndRecord` for a call. The broker and the sound
    /// server ignore it.
    public struct Category: RawRepresentable, Hashable, Sendable {
        /// Apple's string constant, with which an app may have stored the setting.
        public let rawValue: String

        /// Accepts any string; the session does not check it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Sound that mixes with that of other apps and is not essential.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// Sound that silences other apps and is not essential. The first category of a session.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Sound that is the app's purpose, such as music.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// Recording without output.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// Recording with output at the same time: the category of calls.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// Separate streams to several devices at once.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
    }

    /// The specialization of a category, such as `voiceChat`. The broker and the sound server
    /// ignore it.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// Apple's string constant, with which an app may have stored the setting.
        public let rawValue: String

        /// Accepts any string; the session does not check it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No specialization. The first mode of a session.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// Two-way voice: the mode of audio calls.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// Two-way voice with a picture: the mode of video calls.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// Voice chat that belongs to a game.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        /// Input and output with as little processing as possible.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
        /// Continuous speech, such as an audiobook.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
    }

    /// Refinements of a category: mixing with other apps, and outputs that may be chosen. Stored
    /// only.
    public struct CategoryOptions: OptionSet, Sendable {
        /// The bits, with Apple's values, as in PyObjC.
        public let rawValue: UInt

        /// Accepts any bits, unnamed ones included.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The sound of other apps continues.
        public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
        /// The sound of other apps becomes quieter.
        public static let duckOthers = CategoryOptions(rawValue: 0x2)
        /// Bluetooth hands-free devices may be used as input.
        public static let allowBluetooth = CategoryOptions(rawValue: 0x4)
        /// The speaker is the default output instead of the receiver.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
        /// Bluetooth A2DP devices may be used as output.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
        /// AirPlay devices may be used as output.
        public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
        /// Bluetooth hands-free devices may be used as input: today's name.
        public static let allowBluetoothHFP = CategoryOptions(rawValue: 0x4)
        /// The sound of other apps pauses while this one speaks.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
        /// Muting does not interrupt.
        public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 0x80)
    }

    /// Options of `setActive(_:options:)`. They have no effect here.
    public struct SetActiveOptions: OptionSet, Sendable {
        /// The bits, with Apple's values, as in PyObjC.
        public let rawValue: UInt

        /// Accepts any bits, unnamed ones included.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Other apps would be notified, so that they resume their sound. Nobody is notified here.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// The output that overrides the route of a category. Raw values are Apple's, as in PyObjC.
    public enum PortOverride: UInt, Sendable {
        /// No override: always accepted.
        case none = 0
        /// The built-in speaker (`'spkr'`): always refused.
        case speaker = 0x73_70_6B_72
    }

    /// The codes of thrown errors, in the domain `NSOSStatusErrorDomain`. Raw values are Apple's
    /// four-character codes, as in .NET.
    public enum ErrorCode: Int, Sendable {
        /// No error; never thrown.
        case none = 0
        /// `'!act'`: a deactivation while a call of the app has the audio.
        case isBusy = 0x21_61_63_74
        /// `'!pri'`: an activation that the broker has not granted.
        case insufficientPriority = 0x21_70_72_69
        /// `'what'`: a setting that belongs to the sound server.
        case unspecified = 0x77_68_61_74
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The error domain of Apple's system error numbers. Foundation on Linux does not declare it, so
/// this module does.
public let NSOSStatusErrorDomain = "NSOSStatusErrorDomain"
