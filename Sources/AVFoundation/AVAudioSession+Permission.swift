extension AVAudioSession {
    /// The user's decision about the microphone. Raw values are Apple's four-character
    /// codes, as in PyObjC.
    public enum RecordPermission: UInt, Sendable {
        /// The user was not asked; never returned here.
        case undetermined = 0x75_6E_64_74
        /// The user denied it; never returned here.
        case denied = 0x64_65_6E_79
        /// The app may record.
        case granted = 0x67_72_6E_74
    }

    /// Always `granted`: Linux asks nobody before a program records. In a sandbox the sound server
    /// decides, when the app opens the microphone.
    public var recordPermission: RecordPermission { .granted }

    /// Calls the closure with true, on a queue of the system, as Apple's does.
    public func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
        DispatchQueue.global().async { response(true) }
    }
}

/// The app as a user of audio, as in iOS 17.
open class AVAudioApplication: NSObject, @unchecked Sendable {
    private static let instance = AVAudioApplication()

    /// The user's decision about the microphone. Raw values are Apple's four-character
    /// codes, as in PyObjC.
    public enum recordPermission: Int, Sendable {
        /// The user was not asked; never returned here.
        case undetermined = 0x75_6E_64_74
        /// The user denied it; never returned here.
        case denied = 0x64_65_6E_79
        /// The app may record.
        case granted = 0x67_72_6E_74
    }

    /// The one object of the process.
    open class var shared: AVAudioApplication { instance }

    /// Always `granted`, for the reason of `AVAudioSession.recordPermission`.
    open var recordPermission: AVAudioApplication.recordPermission { .granted }

    /// Calls the closure with true, on a queue of the system, as Apple's does.
    open class func requestRecordPermission(
        completionHandler response: @escaping @Sendable (Bool) -> Void
    ) {
        DispatchQueue.global().async { response(true) }
    }

    /// Returns true.
    open class func requestRecordPermission() async -> Bool { true }
}
