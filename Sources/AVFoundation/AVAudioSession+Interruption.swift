extension AVAudioSession {
    /// Posted on Apple's platforms when other sound interrupts the app's; never posted here. The
    /// broker reports every interruption of a call with `didDeactivate` and `didActivate`.
    public class var interruptionNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionInterruptionNotification")
    }

    /// Posted on Apple's platforms when the system's audio has restarted; never posted here.
    public class var mediaServicesWereResetNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionMediaServicesWereResetNotification")
    }

    /// Posted on Apple's platforms when the system's audio has ended; never posted here.
    public class var mediaServicesWereLostNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionMediaServicesWereLostNotification")
    }

    /// Posted on Apple's platforms to pause an app's secondary sound; never posted here.
    public class var silenceSecondaryAudioHintNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionSilenceSecondaryAudioHintNotification")
    }

    /// The kind of an interruption. Raw values are Apple's, as in PyObjC.
    public enum InterruptionType: UInt, Sendable {
        /// The interruption has ended.
        case ended = 0
        /// The interruption has begun.
        case began = 1
    }

    /// Hints at the end of an interruption.
    public struct InterruptionOptions: OptionSet, Sendable {
        /// The bits, with Apple's values, as in PyObjC.
        public let rawValue: UInt

        /// Accepts any bits, unnamed ones included.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The app may resume its sound.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the kind of an interruption, an `AVAudioSession.InterruptionType`.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the hints at the end of an interruption, `AVAudioSession.InterruptionOptions`.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of a note that an interruption began while the app was suspended.
public let AVAudioSessionInterruptionWasSuspendedKey = "AVAudioSessionInterruptionWasSuspendedKey"
