@_exported public import Foundation

/// The audio of this app. The broker says when it may be used: a provider's `didActivate` and
/// `didDeactivate`. See `Members` in the documentation for what works and what refuses.
open class AVAudioSession: NSObject, @unchecked Sendable {
    // The lock guards all that changes.
    private let lock = NSLock()
    private var settings = (category: Category.soloAmbient, mode: Mode.default)
    private var options: CategoryOptions = []
    /// The providers that have the audio: two of a process may hear of it in any order.
    private var holders: Set<ObjectIdentifier> = []

    private static let shared = AVAudioSession()

    open class func sharedInstance() -> AVAudioSession { shared }

    // MARK: - Settings, which the app reads itself

    open var category: Category { lock.withLock { settings.category } }
    open var mode: Mode { lock.withLock { settings.mode } }
    open var categoryOptions: CategoryOptions { lock.withLock { options } }

    open func setCategory(_ category: Category) throws {
        try setCategory(category, mode: mode, options: [])
    }

    open func setCategory(_ category: Category, options: CategoryOptions) throws {
        try setCategory(category, mode: mode, options: options)
    }

    open func setCategory(
        _ category: Category, mode: Mode, options: CategoryOptions = []
    ) throws {
        lock.withLock {
            settings = (category, mode)
            self.options = options
        }
    }

    open func setMode(_ mode: Mode) throws {
        lock.withLock { settings.mode = mode }
    }

    // MARK: - The grant

    /// Whether the broker lets this provider use microphone and speaker now.
    package func setGranted(_ isGranted: Bool, to provider: AnyObject) {
        let holder = ObjectIdentifier(provider)
        lock.withLock {
            _ = isGranted ? holders.insert(holder).inserted : holders.remove(holder) != nil
        }
    }

    /// The broker activates and deactivates. Asking for what is so already succeeds, anything else
    /// is refused.
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        guard active == lock.withLock({ holders.isEmpty }) else { return }
        throw active
            ? Self.refusal(
                .insufficientPriority,
                "the broker has not given this app the audio; it does when a call of its provider "
                    + "is active: wait for provider(_:didActivate:)")
            : Self.refusal(
                .isBusy,
                "a call of this app has the audio, and keeps it until it is held or over: hold or "
                    + "end the call")
    }

    // MARK: - What no broker can do

    open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
        guard portOverride != .none else { return }
        throw Self.refusal(
            .unspecified, "the broker does not route audio: choose the output in the sound server")
    }

    open func setPreferredSampleRate(_ sampleRate: Double) throws {
        throw Self.refusal(.unspecified, "the sample rate is the sound server's business")
    }

    open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        throw Self.refusal(.unspecified, "the buffers are the sound server's business")
    }

    private static func refusal(_ code: ErrorCode, _ message: String) -> NSError {
        NSError(
            domain: NSOSStatusErrorDomain, code: code.rawValue,
            userInfo: [NSLocalizedDescriptionKey: message])
    }
}

extension AVAudioSession {
    public struct Category: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
    }

    public struct Mode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
    }

    public struct CategoryOptions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
        public static let duckOthers = CategoryOptions(rawValue: 0x2)
        public static let allowBluetooth = CategoryOptions(rawValue: 0x4)
        public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
        public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
    }

    public struct SetActiveOptions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    public enum PortOverride: UInt, Sendable {
        case none = 0
        case speaker = 0x73_70_6B_72
    }

    /// The numbers of what is thrown, in the domain `NSOSStatusErrorDomain`.
    public enum ErrorCode: Int, Sendable {
        case none = 0
        case isBusy = 0x21_61_63_74
        case insufficientPriority = 0x21_70_72_69
        case unspecified = 0x77_68_61_74
    }
}

/// The domain of the system's own error numbers, which this Foundation does not name.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSOSStatusErrorDomain = "NSOSStatusErrorDomain"
