internal import Synchronization

extension AVAudioSession {
    /// The kind of an input or output, such as `builtInSpeaker`. Raw values are Apple's, as
    /// iPhones print them.
    public struct Port: RawRepresentable, Hashable, Sendable {
        /// Apple's string constant; for a kind that Apple has no constant for, the broker's word.
        public let rawValue: String

        /// Accepts any string.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The microphone of the device.
        public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
        /// The microphone of a headset with a cable.
        public static let headsetMic = Port(rawValue: "MicrophoneWired")
        /// A line input. The broker has no such kind.
        public static let lineIn = Port(rawValue: "LineIn")
        /// The part of a telephone that is held to the ear.
        public static let builtInReceiver = Port(rawValue: "Receiver")
        /// The loudspeaker.
        public static let builtInSpeaker = Port(rawValue: "Speaker")
        /// Headphones with a cable.
        public static let headphones = Port(rawValue: "Headphones")
        /// A Bluetooth headset.
        public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
        /// Bluetooth headphones. The broker has no such kind: calls use a headset.
        public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
        /// A Bluetooth Low Energy device. The broker has no such kind.
        public static let bluetoothLE = Port(rawValue: "BluetoothLE")
        /// A device to which the sound is sent over a network.
        public static let airPlay = Port(rawValue: "AirPlay")
        /// A line output. The broker has no such kind.
        public static let lineOut = Port(rawValue: "LineOut")
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// A screen with loudspeakers. The broker has no such kind.
        public static let HDMI = Port(rawValue: "HDMIOutput")
        /// A USB device. The broker has no such kind.
        public static let usbAudio = Port(rawValue: "USBAudio")
        /// A car. The broker has no such kind.
        public static let carAudio = Port(rawValue: "CarAudio")
    }

    /// The reason of a change of the route. Raw values are Apple's, as in PyObjC.
    public enum RouteChangeReason: UInt, Sendable {
        /// The host gives no reason.
        case unknown = 0
        /// A device became available.
        case newDeviceAvailable = 1
        /// A device is no longer available.
        case oldDeviceUnavailable = 2
        /// The category was changed; never reported, because a category affects no sound here.
        case categoryChange = 3
        /// The route was chosen: with the broker, or in the sound server.
        case override = 4
        /// The device woke up; never reported.
        case wakeFromSleep = 6
        /// There is no route for the category; never reported.
        case noSuitableRouteForCategory = 7
        /// A device was configured anew; never reported.
        case routeConfigurationChange = 8
    }

    /// Posted on the main queue when the host's endpoints have changed, with
    /// `AVAudioSessionRouteChangeReasonKey` and `AVAudioSessionRouteChangePreviousRouteKey`. The
    /// app knows the endpoints once it has had the audio, or has read the route.
    public class var routeChangeNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionRouteChangeNotification")
    }

    /// The endpoint in use, as one output and its microphone. Both lists are empty while no client
    /// of the broker reports the host's endpoints.
    public var currentRoute: AVAudioSessionRouteDescription {
        followRoute()
        return route.withLock { $0.ports.route }
    }

    /// The microphones of the host's endpoints that are available, in the broker's order; nil
    /// while no client of the broker reports the endpoints.
    public var availableInputs: [AVAudioSessionPortDescription]? {
        followRoute()
        let inputs = route.withLock { $0.ports.filter(\.isAvailable).compactMap(\.input) }
        return inputs.isEmpty ? nil : inputs
    }

    /// The input that the app preferred last; nil at first.
    public var preferredInput: AVAudioSessionPortDescription? {
        route.withLock { $0.preferred }
    }

    /// Accepts nil, and an input that is in use already; refuses any other, because the user and
    /// the sound server route the audio.
    ///
    /// - Throws: an `NSError` with the code `unspecified`.
    public func setPreferredInput(_ input: AVAudioSessionPortDescription?) throws {
        let isInUse = input.map { input in currentRoute.inputs.contains { $0.uid == input.uid } }
        guard isInUse ?? true else {
            throw Self.refusal(
                .unspecified,
                "the broker does not route audio for apps: choose the input in the sound server")
        }
        route.withLock { $0.preferred = input }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the reason of a change of the route: an `NSNumber` or `UInt` with the raw value of an
/// `AVAudioSession.RouteChangeReason`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the route before a change: an `AVAudioSessionRouteDescription`.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"

/// An input or output of the host. It is immutable.
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
    private let facts: (type: AVAudioSession.Port, name: String, uid: String)

    /// The kind of the port.
    open var portType: AVAudioSession.Port { facts.type }
    /// The name of the endpoint for people, otherwise its kind.
    open var portName: String { facts.name }
    /// The broker's id of the endpoint.
    open var uid: String { facts.uid }
    /// Always nil: the host describes no channels.
    open var channels: [AVAudioSessionChannelDescription]? { nil }

    init(_ type: AVAudioSession.Port, name: String, uid: String) {
        facts = (type, name, uid)
    }
}

/// A channel of a port. The host describes none.
open class AVAudioSessionChannelDescription: NSObject {
    override private init() {}
}

/// The inputs and outputs in use. It is immutable.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
    private let ports: (inputs: [AVAudioSessionPortDescription], [AVAudioSessionPortDescription])

    /// The inputs in use; one at most.
    open var inputs: [AVAudioSessionPortDescription] { ports.inputs }
    /// The outputs in use; one at most.
    open var outputs: [AVAudioSessionPortDescription] { ports.1 }

    init(
        inputs: [AVAudioSessionPortDescription], outputs: [AVAudioSessionPortDescription]
    ) {
        ports = (inputs, outputs)
    }
}
