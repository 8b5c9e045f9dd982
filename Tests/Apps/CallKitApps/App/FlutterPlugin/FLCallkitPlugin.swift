import AVFoundation
import CallKit
import Foundation
import UIKit

public typealias FLResult = (Any?) -> Void

public struct FLMethodCall {
    public let method: String
    public let arguments: Any?
}

/// A plugin that is driven by a channel of dictionaries.
public class FLCallkitPlugin: NSObject, CXProviderDelegate, @unchecked Sendable {
    static let ACTION_CALL_INCOMING = "com.example.CALL_INCOMING"
    static let ACTION_CALL_ACCEPT = "com.example.CALL_ACCEPT"
    static let ACTION_CALL_ENDED = "com.example.CALL_ENDED"
    static let ACTION_CALL_TOGGLE_HOLD = "com.example.CALL_TOGGLE_HOLD"

    @objc public private(set) static nonisolated(unsafe) var sharedInstance: FLCallkitPlugin?

    private let callController = CXCallController()
    private var sharedProvider: CXProvider?
    private var answerAction: CXAnswerCallAction?
    private var outgoing: [UUID: FLCallData] = [:]
    public var sendEvent: ((String, [String: Any?]) -> Void)?

    @objc public override init() {
        super.init()
        FLCallkitPlugin.sharedInstance = self
    }

    public func handle(_ call: FLMethodCall, result: @escaping FLResult) {
        switch call.method {
        case "showCallkitIncoming":
            guard let args = call.arguments as? [String: Any],
                let data = FLCallData(args: args)
            else { return result("missing arguments") }
            showCallkitIncoming(data, fromPushKit: false)
            result("OK")
        case "endCall":
            guard let args = call.arguments as? [String: Any], let id = args["id"] as? String,
                let uuid = UUID(uuidString: id)
            else { return result("OK") }
            endCall(uuid)
            result("OK")
        case "activeCalls":
            result(callController.callObserver.calls.map { ["id": $0.uuid.uuidString] })
        default: result(nil)
        }
    }

    @objc public func getDevicePushTokenVoIP() -> String {
        return UserDefaults.standard.string(forKey: "devicePushTokenVoIP") ?? ""
    }

    public func showCallkitIncoming(_ data: FLCallData, fromPushKit: Bool) {
        let handle = CXHandle(type: .generic, value: data.getEncryptHandle())
        let callUpdate = CXCallUpdate()
        callUpdate.remoteHandle = handle
        callUpdate.hasVideo = data.type > 0
        callUpdate.localizedCallerName = data.nameCaller
        initCallkitProvider(data)
        sharedProvider?.reportNewIncomingCall(with: data.uuid, update: callUpdate) { error in
            if error == nil {
                self.sendEvent?(FLCallkitPlugin.ACTION_CALL_INCOMING, data.toJSON())
            }
        }
    }

    private func endCall(_ uuid: UUID) {
        callController.request(CXTransaction(action: CXEndCallAction(call: uuid))) { _ in }
    }

    func initCallkitProvider(_ data: FLCallData) {
        guard sharedProvider == nil else { return }
        let configuration = CXProviderConfiguration(localizedName: data.appName)
        configuration.supportedHandleTypes = [.generic, .emailAddress, .phoneNumber]
        if let icon = UIImage(named: data.iconName) {
            configuration.iconTemplateImageData = icon.pngData()
        }
        sharedProvider = CXProvider(configuration: configuration)
        sharedProvider?.setDelegate(self, queue: nil)
    }

    public func providerDidReset(_ provider: CXProvider) { outgoing.removeAll() }

    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        answerAction = action
        sendEvent?(
            FLCallkitPlugin.ACTION_CALL_ACCEPT, ["id": action.callUUID.uuidString.lowercased()])
        action.fulfill()
    }

    public func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        sendEvent?(
            FLCallkitPlugin.ACTION_CALL_TOGGLE_HOLD,
            ["id": action.callUUID.uuidString, "isOnHold": action.isOnHold])
        action.fulfill()
    }
}
