import AVFoundation
import CallKit

/// A plug-in of a framework that passes dictionaries to and fro.
public class CallPlugin: NSObject, CXProviderDelegate {
    public var send: (_ event: String, _ body: [String: Any]) -> Void = { _, _ in }
    private var provider: CXProvider?
    private var calls: [UUID: [String: Any]] = [:]
    private let callController = CXCallController()
    private var observer: CXCallObserver?

    public func setup(_ options: [String: Any]) {
        let configuration = CXProviderConfiguration(
            localizedName: options["appName"] as? String ?? "Plugin")
        configuration.maximumCallGroups = Int(options["maximumCallGroups"] as? String ?? "") ?? 3
        configuration.supportsVideo = options["supportsVideo"] as? Bool ?? true
        configuration.supportedHandleTypes = [handleType(options["handleType"] as? String)]
        configuration.ringtoneSound = options["ringtoneSound"] as? String
        let provider = CXProvider(configuration: configuration)
        provider.setDelegate(self, queue: DispatchQueue(label: "plugin"))
        self.provider = provider
        observer = CXCallObserver()
        observer?.setDelegate(self, queue: DispatchQueue(label: "plugin.observer"))
    }

    private func handleType(_ name: String?) -> CXHandle.HandleType {
        switch name {
        case "number", "phone": return .phoneNumber
        case "email": return .emailAddress
        default: return .generic
        }
    }

    public func displayIncomingCall(_ arguments: [String: Any], reply: @escaping (Any?) -> Void) {
        guard let text = arguments["uuid"] as? String, let uuid = UUID(uuidString: text) else {
            return reply(["error": "no uuid"])
        }
        let update = CXCallUpdate()
        if let number = arguments["handle"] as? String {
            update.remoteHandle = CXHandle(
                type: handleType(arguments["handleType"] as? String), value: number)
        }
        update.localizedCallerName = arguments["name"] as? String
        update.supportsHolding = (arguments["supportsHolding"] as? Bool) ?? true
        provider?.reportNewIncomingCall(with: uuid, update: update) { error in
            if let error = error {
                let nsError = error as NSError
                reply(["error": nsError.localizedDescription, "code": nsError.code])
            } else {
                self.calls[uuid] = arguments
                reply(nil)
            }
        }
    }

    public func endAllCalls() {
        for call in callController.callObserver.calls where calls[call.uuid] != nil {
            callController.requestTransaction(with: CXEndCallAction(call: call.uuid)) { error in
                if let error { self.send("error", ["text": error.localizedDescription]) }
            }
        }
    }

    public func pendingAnswers(_ uuid: UUID) -> Int {
        provider?.pendingCallActions(of: CXAnswerCallAction.self, withCall: uuid).count ?? 0
    }

    public func fulfillAnswer(_ uuid: UUID) {
        for case let action as CXAnswerCallAction in provider?.pendingCallActions(
            of: CXAnswerCallAction.self, withCall: uuid) ?? []
        {
            action.fulfill()
        }
    }

    public func close() {
        provider?.invalidate()
        provider = nil
    }

    // MARK: - CXProviderDelegate

    public func providerDidReset(_ provider: CXProvider) {
        send("reset", [:])
    }

    public func providerDidBegin(_ provider: CXProvider) {
        send("begin", [:])
    }

    // The answer is fulfilled later, when the framework says so.
    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        send("answer", ["callUUID": action.callUUID.uuidString.lowercased()])
    }

    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        calls[action.callUUID] = nil
        send("end", ["callUUID": action.callUUID.uuidString.lowercased()])
        action.fulfill()
    }

    public func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        send("dtmf", ["digits": action.digits])
        action.fulfill()
    }

    public func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        send("audio", ["active": true])
    }
}

extension CallPlugin: CXCallObserverDelegate {
    public func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        if call.hasEnded { send("over", ["callUUID": call.uuid.uuidString.lowercased()]) }
    }
}
