// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import CallKit

/// A singleton in the manner of Objective-C: closures, notifications, a delegate on the main queue.
public class CallKitManager: NSObject {
    public static let shared = CallKitManager()
    public static let callStateChanged = NSNotification.Name("CallStateChanged")

    public typealias Completion = (_ success: Bool, _ error: NSError?) -> Void

    private var provider: CXProvider!
    private let callController = CXCallController(queue: DispatchQueue.main)
    private var answerCallback: ((UUID) -> Void)?
    public private(set) var currentCallID: UUID?
    public private(set) var audioIsActive = false

    public func setUp() {
        let configuration = CXProviderConfiguration(localizedName: "Manager")
        configuration.maximumCallGroups = 1
        configuration.maximumCallsPerCallGroup = 1
        configuration.supportedHandleTypes = Set([.generic, .phoneNumber, .emailAddress])
        if #available(iOS 11.0, *) {
            configuration.includesCallsInRecents = false
        }
        provider = CXProvider(configuration: configuration)
        provider.setDelegate(self, queue: nil)
    }

    public func tearDown() {
        provider.invalidate()
    }

    public func onAnswer(_ callback: @escaping (UUID) -> Void) {
        answerCallback = callback
    }

    public func reportIncomingCall(
        from name: String, uuid: UUID = UUID(), completion: Completion? = nil
    ) {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: name)
        update.localizedCallerName = name
        update.hasVideo = false
        update.supportsDTMF = false
        update.supportsHolding = false
        update.supportsGrouping = false
        update.supportsUngrouping = false
        provider.reportNewIncomingCall(with: uuid, update: update) { [weak self] error in
            if let error = error as NSError? {
                if error.domain == CXErrorDomainIncomingCall,
                    error.code
                        == CXErrorCodeIncomingCallError.Code.callUUIDAlreadyExists.rawValue
                {
                    NSLog("This call is known already")
                }
                completion?(false, error)
            } else {
                self?.currentCallID = uuid
                completion?(true, nil)
            }
        }
    }

    public func endCall(completion: Completion? = nil) {
        guard let uuid = currentCallID else { return }
        let transaction = CXTransaction(action: CXEndCallAction(call: uuid))
        callController.request(
            transaction,
            completion: { error in
                completion?(error == nil, error as NSError?)
            })
    }

    private func post() {
        NotificationCenter.default.post(name: CallKitManager.callStateChanged, object: self)
    }
}

extension CallKitManager: CXProviderDelegate {
    public func providerDidReset(_ provider: CXProvider) {
        currentCallID = nil
        post()
    }

    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        answerCallback?(action.callUUID)
        action.fulfill(withDateConnected: Date())
        post()
    }

    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        currentCallID = nil
        action.fulfill()
        post()
    }

    public func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        try? audioSession.setCategory(.playAndRecord, options: [.allowBluetooth])
        audioIsActive = true
        post()
    }

    public func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        audioIsActive = false
        post()
    }
}
