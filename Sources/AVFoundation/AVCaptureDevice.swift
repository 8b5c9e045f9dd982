/// A kind of media. Raw values are QuickTime's codes, which Apple uses.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
    /// Apple's four-character string.
    public let rawValue: String

    /// Accepts any string.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Sound.
    public static let audio = AVMediaType(rawValue: "soun")
    /// A moving picture.
    public static let video = AVMediaType(rawValue: "vide")
}

/// Stands for microphones and cameras where call code asks for permission. There are no objects of
/// it: this module captures nothing.
open class AVCaptureDevice: NSObject {
    override private init() {}

    /// Returns nil: this module captures nothing.
    open class func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? { nil }

    /// Always `authorized`, because Linux asks nobody before a program records. In a sandbox the
    /// portal decides, when the app opens the device.
    open class func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
        .authorized
    }

    /// Calls the closure with true, on a queue of the system, as Apple's does.
    open class func requestAccess(
        for mediaType: AVMediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
    ) {
        DispatchQueue.global().async { handler(true) }
    }

    /// Returns true.
    open class func requestAccess(for mediaType: AVMediaType) async -> Bool { true }
}

/// The user's decision about a microphone or camera. Raw values are Apple's, as in PyObjC.
public enum AVAuthorizationStatus: Int, Sendable {
    /// The user was not asked; never returned here.
    case notDetermined = 0
    /// A rule of the device forbids it; never returned here.
    case restricted = 1
    /// The user denied it; never returned here.
    case denied = 2
    /// The app may use it.
    case authorized = 3
}

/// A result of Apple's C functions; 0 is success.
public typealias OSStatus = Int32

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The result of a system sound that was played. This module plays none.
public let kAudioServicesNoError: OSStatus = 0
