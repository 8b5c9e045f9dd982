import AVFoundation
import CallKit
import Foundation
import UIKit

/// A module of a bridge: methods by name with dictionaries, and events by name.
@objc(RKKeep)
final class RKKeep: NSObject, CXProviderDelegate, @unchecked Sendable {
    private static nonisolated(unsafe) var sharedProvider: CXProvider?
    private let callController = CXCallController()
    private var delayedEvents: [[String: Any]] = []
    private var hasListeners = false
    var sendEvent: ((String, [String: Any]) -> Void)?

    @objc static func requiresMainQueueSetup() -> Bool { true }

    @objc(setup:)
    func setup(_ options: NSDictionary) {
        Self.initCallKitProvider(options as? [String: Any] ?? [:])
        Self.sharedProvider?.setDelegate(self, queue: nil)
    }

    static func initCallKitProvider(_ options: [String: Any]) {
        guard sharedProvider == nil else { return }
        sharedProvider = CXProvider(configuration: providerConfiguration(options))
    }

    static func providerConfiguration(_ settings: [String: Any]) -> CXProviderConfiguration {
        let name = settings["appName"] as? String ?? "App"
        let configuration = CXProviderConfiguration(localizedName: name)
        configuration.supportsVideo = settings["supportsVideo"] as? Bool ?? true
        configuration.maximumCallGroups = settings["maximumCallGroups"] as? Int ?? 3
        configuration.maximumCallsPerCallGroup = settings["maximumCallsPerCallGroup"] as? Int ?? 1
        if let image = settings["imageName"] as? String {
            configuration.iconTemplateImageData = UIImage(named: image)?.pngData()
        }
        configuration.supportedHandleTypes = [.phoneNumber]
        return configuration
    }

    @objc(displayIncomingCall:handle:handleType:hasVideo:localizedCallerName:)
    func displayIncomingCall(
        _ uuidString: String, handle: String, handleType: String, hasVideo: Bool,
        localizedCallerName: String?
    ) {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: Self.handleType(handleType), value: handle)
        update.supportsHolding = true
        update.supportsDTMF = true
        update.hasVideo = hasVideo
        update.localizedCallerName = localizedCallerName
        guard let uuid = UUID(uuidString: uuidString) else { return }
        Self.sharedProvider?.reportNewIncomingCall(with: uuid, update: update) { error in
            let code = (error as NSError?)?.code ?? 0
            self.sendEventWithNameWrapper(
                "RNCallKeepDidDisplayIncomingCall", body: ["errorCode": code])
        }
    }

    @objc func reportEndCall(withUUID uuidString: String, _ reason: Int) {
        guard let uuid = UUID(uuidString: uuidString),
            let reason = CXCallEndedReason(rawValue: reason)
        else { return }
        Self.sharedProvider?.reportCall(with: uuid, endedAt: Date(), reason: reason)
    }

    static func handleType(_ type: String) -> CXHandle.HandleType {
        ["number": .phoneNumber, "email": .emailAddress][type] ?? .generic
    }

    private func sendEventWithNameWrapper(_ name: String, body: [String: Any]) {
        if hasListeners {
            sendEvent?(name, body)
        } else {
            delayedEvents.append(["name": name, "data": body])
        }
    }

    @objc func startObserving() {
        hasListeners = true
        delayedEvents.removeAll()
    }

    func providerDidReset(_ provider: CXProvider) {
        sendEventWithNameWrapper("RNCallKeepProviderReset", body: [:])
    }

    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        sendEventWithNameWrapper(
            "RNCallKeepDidPerformDTMFAction",
            body: ["digits": action.digits, "callUUID": action.callUUID.uuidString.lowercased()])
        action.fulfill()
    }
}
