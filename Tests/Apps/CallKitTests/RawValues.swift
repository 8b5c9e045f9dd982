import AVFoundation
import CallKit
import Intents
import LiveCommunicationKit
import PushKit
import UIKit
import UnifiedLogging
import UserNotifications

/// The raw values that apps find in these modules, by the names of their constants in Swift. Swift
/// Testing has an overlay for UIKit, which is not there on Linux: a file may import one of them.
enum RawValues {
    /// Returns the values of all constants.
    ///
    /// - Parameter numbers: the numbers to look for cases at.
    static func all(lookingAt numbers: Set<Int>) -> [String: String] {
        let rows =
            callKit(numbers) + intents(numbers) + audio(numbers) + ports + pushes
            + notifications(numbers) + application(numbers) + conversations(numbers) + logs
        return Dictionary(rows) { $1 }
    }

    private typealias Row = (String, String)

    private static func name<Value>(_ type: Value.Type) -> String {
        // Behind the module.
        String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
    }

    /// The cases of an enum that have one of the numbers.
    private static func cases<Value: RawRepresentable>(
        _ type: Value.Type, _ numbers: Set<Int>
    ) -> [Row] where Value.RawValue: FixedWidthInteger {
        numbers.compactMap { number in
            Value.RawValue(exactly: number).flatMap(Value.init(rawValue:)).map {
                ("\(name(type)).\($0)", "\(number)")
            }
        }
    }

    private static func constants<Value: RawRepresentable>(
        _ values: KeyValuePairs<String, Value>
    ) -> [Row] {
        values.map { ("\(name(Value.self)).\($0)", "\($1.rawValue)") }
    }

    // MARK: - The modules

    private static func callKit(_ numbers: Set<Int>) -> [Row] {
        cases(CXHandle.HandleType.self, numbers) + cases(CXCallEndedReason.self, numbers)
            + cases(CXTranslationEngine.self, numbers)
            + cases(CXPlayDTMFCallAction.ActionType.self, numbers)
            + cases(CXCallDirectoryManager.EnabledStatus.self, numbers)
            + cases(CXError.Code.self, numbers)
            + cases(CXErrorCodeIncomingCallError.Code.self, numbers)
            + cases(CXErrorCodeRequestTransactionError.Code.self, numbers)
            + cases(CXErrorCodeCallDirectoryManagerError.Code.self, numbers)
            + cases(CXErrorCodeNotificationServiceExtensionError.Code.self, numbers)
    }

    private static func intents(_ numbers: Set<Int>) -> [Row] {
        let errors = [("INIntentErrorDomain", INIntentErrorDomain)]
        let labels = constants([
            "home": INPersonHandleLabel.home, "work": .work, "mobile": .mobile, "main": .main,
            "other": .other,
        ])
        let options = constants([
            "outgoing": INCallRecordTypeOptions.outgoing, "missed": .missed,
            "received": .received, "latest": .latest, "voicemail": .voicemail,
            "ringing": .ringing, "inProgress": .inProgress, "onHold": .onHold,
        ])
        return errors + labels + options + intentEnums(numbers)
    }

    private static func intentEnums(_ numbers: Set<Int>) -> [Row] {
        cases(INCallAudioRoute.self, numbers) + cases(INCallCapability.self, numbers)
            + cases(INCallDestinationType.self, numbers) + cases(INCallRecordType.self, numbers)
            + cases(INIntentHandlingStatus.self, numbers)
            + cases(INInteractionDirection.self, numbers)
            + cases(INPersonHandleType.self, numbers) + cases(INPersonSuggestionType.self, numbers)
            + cases(INSiriAuthorizationStatus.self, numbers)
            + cases(INStartAudioCallIntentResponseCode.self, numbers)
            + cases(INStartCallContactUnsupportedReason.self, numbers)
            + cases(INStartCallIntentResponseCode.self, numbers)
            + cases(INStartVideoCallIntentResponseCode.self, numbers)
    }

    private static func audio(_ numbers: Set<Int>) -> [Row] {
        let options = constants([
            "mixWithOthers": AVAudioSession.CategoryOptions.mixWithOthers,
            "duckOthers": .duckOthers, "allowBluetooth": .allowBluetooth,
            "defaultToSpeaker": .defaultToSpeaker, "allowBluetoothA2DP": .allowBluetoothA2DP,
            "allowAirPlay": .allowAirPlay, "allowBluetoothHFP": .allowBluetoothHFP,
            "interruptSpokenAudioAndMixWithOthers": .interruptSpokenAudioAndMixWithOthers,
            "overrideMutedMicrophoneInterruption": .overrideMutedMicrophoneInterruption,
        ])
        let hints = constants(["shouldResume": AVAudioSession.InterruptionOptions.shouldResume])
        let ends = constants([
            "notifyOthersOnDeactivation": AVAudioSession.SetActiveOptions.notifyOthersOnDeactivation
        ])
        return options + hints + ends + cases(AVAudioSession.InterruptionType.self, numbers)
            + cases(AVAudioSession.PortOverride.self, numbers)
            + cases(AVAudioSession.ErrorCode.self, numbers)
            + cases(AVAudioSession.RecordPermission.self, numbers)
            + cases(AVAudioApplication.recordPermission.self, numbers)
            + cases(AVAudioSession.RouteChangeReason.self, numbers)
            + cases(AVAuthorizationStatus.self, numbers)
    }

    private static var ports: [Row] {
        let ports = constants([
            "builtInMic": AVAudioSession.Port.builtInMic, "headsetMic": .headsetMic,
            "lineIn": .lineIn, "builtInReceiver": .builtInReceiver,
            "builtInSpeaker": .builtInSpeaker, "headphones": .headphones,
            "bluetoothHFP": .bluetoothHFP, "bluetoothA2DP": .bluetoothA2DP,
            "bluetoothLE": .bluetoothLE, "airPlay": .airPlay, "lineOut": .lineOut, "HDMI": .HDMI,
            "usbAudio": .usbAudio, "carAudio": .carAudio,
        ])
        let categories = constants([
            "ambient": AVAudioSession.Category.ambient, "soloAmbient": .soloAmbient,
            "playback": .playback, "record": .record, "playAndRecord": .playAndRecord,
            "multiRoute": .multiRoute,
        ])
        let modes = constants([
            "default": AVAudioSession.Mode.default, "voiceChat": .voiceChat,
            "videoChat": .videoChat, "gameChat": .gameChat, "measurement": .measurement,
            "spokenAudio": .spokenAudio,
        ])
        return ports + categories + modes
            + constants(["audio": AVMediaType.audio, "video": .video])
    }

    private static var pushes: [Row] {
        constants([
            "voIP": PKPushType.voIP, "complication": .complication, "fileProvider": .fileProvider,
        ])
    }

    private static func notifications(_ numbers: Set<Int>) -> [Row] {
        let authorization = constants([
            "badge": UNAuthorizationOptions.badge, "sound": .sound, "alert": .alert,
            "carPlay": .carPlay, "criticalAlert": .criticalAlert,
            "providesAppNotificationSettings": .providesAppNotificationSettings,
            "provisional": .provisional,
        ])
        let actions = constants([
            "authenticationRequired": UNNotificationActionOptions.authenticationRequired,
            "destructive": .destructive, "foreground": .foreground,
        ])
        let categories = constants([
            "customDismissAction": UNNotificationCategoryOptions.customDismissAction,
            "allowInCarPlay": .allowInCarPlay,
        ])
        let presentation = constants([
            "badge": UNNotificationPresentationOptions.badge, "sound": .sound, "alert": .alert,
            "list": .list, "banner": .banner,
        ])
        return authorization + actions + categories + presentation
            + cases(UNAuthorizationStatus.self, numbers) + cases(UNError.Code.self, numbers)
            + cases(UNNotificationInterruptionLevel.self, numbers)
            + cases(UNNotificationSetting.self, numbers)
    }

    private static func application(_ numbers: Set<Int>) -> [Row] {
        let launch = constants([
            "url": UIApplication.LaunchOptionsKey.url, "sourceApplication": .sourceApplication,
            "remoteNotification": .remoteNotification, "location": .location,
            "userActivityDictionary": .userActivityDictionary,
            "userActivityType": .userActivityType,
        ])
        let link = constants([
            "sourceApplication": UIApplication.OpenURLOptionsKey.sourceApplication,
            "annotation": .annotation, "openInPlace": .openInPlace,
        ])
        let external = constants([
            "universalLinksOnly": UIApplication.OpenExternalURLOptionsKey.universalLinksOnly
        ])
        return launch + link + external
            + constants(["windowApplication": UISceneSession.Role.windowApplication])
            + constants(["invalid": UIBackgroundTaskIdentifier.invalid])
            + cases(UIApplication.State.self, numbers)
            + cases(UIApplication.BackgroundRefreshStatus.self, numbers)
            + cases(UIBackgroundFetchResult.self, numbers)
    }

    private static func conversations(_ numbers: Set<Int>) -> [Row] {
        let capabilities = constants([
            "pausing": Conversation.Capabilities.pausing, "merging": .merging,
            "unmerging": .unmerging, "playingTones": .playingTones, "video": .video,
        ])
        return capabilities + cases(Handle.Kind.self, numbers)
            + cases(Conversation.State.self, numbers)
            + cases(Conversation.EndedReason.self, numbers)
            + cases(PlayToneAction.Tone.self, numbers)
    }

    private static var logs: [Row] {
        constants([
            "default": OSLogType.default, "info": .info, "debug": .debug, "error": .error,
            "fault": .fault,
        ])
    }
}
