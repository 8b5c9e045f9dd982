// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import CallKit
import UIKit

// A call manager around peer connections, with delegates, timers and errors in the manner of
// Objective-C.

public protocol PeerCallManagerDelegate: NSObjectProtocol {
    func callManager(_ manager: PeerCallManager, didAdd call: PeerCall)
    func callManager(_ manager: PeerCallManager, didUpdate call: PeerCall)
    func callManager(_ manager: PeerCallManager, didRemove call: PeerCall, error: NSError?)
}

public protocol PeerConnecting: AnyObject {
    func offer(to peer: String, completion: @escaping (_ sdp: String?, _ error: Error?) -> Void)
    func answer(completion: @escaping (Error?) -> Void)
    func setAudioEnabled(_ enabled: Bool)
    func close()
}

public final class PeerCall: NSObject {
    public enum State: Int {
        case idle, calling, ringing, connected, held, ended
    }

    public let uuid: UUID
    public let peer: String
    public internal(set) var state: State = .idle
    fileprivate let connection: PeerConnecting
    fileprivate var ringTimer: DispatchWorkItem?
    fileprivate var backgroundTask: UIBackgroundTaskIdentifier = .invalid

    init(uuid: UUID, peer: String, connection: PeerConnecting) {
        self.uuid = uuid
        self.peer = peer
        self.connection = connection
        super.init()
    }

    public override var description: String {
        return "<PeerCall \(uuid.uuidString): \(state)>"
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? PeerCall else { return false }
        return other.uuid == uuid
    }

    public override var hash: Int { return uuid.hashValue }
}

public class PeerCallManager: NSObject {
    public static let errorDomain = "PeerCallManagerErrorDomain"

    public weak var delegate: PeerCallManagerDelegate?
    private let makeConnection: () -> PeerConnecting
    private let workQueue = DispatchQueue(label: "calls", qos: .userInitiated)
    private var calls = [UUID: PeerCall]()
    private var isAudioSessionActive = false

    private lazy var callController: CXCallController = CXCallController(queue: workQueue)

    private lazy var provider: CXProvider = {
        let configuration: CXProviderConfiguration
        if #available(iOS 14.0, *) {
            configuration = CXProviderConfiguration()
        } else {
            configuration = CXProviderConfiguration(localizedName: "Peers")
        }
        configuration.supportsVideo = true
        configuration.maximumCallsPerCallGroup = 1
        configuration.maximumCallGroups = 2
        configuration.supportedHandleTypes = [.generic, .phoneNumber]
        if let icon = UIImage(named: "CallKitIcon") {
            configuration.iconTemplateImageData = icon.pngData()
        }
        if Bundle.main.path(forResource: "ring", ofType: "caf") != nil {
            configuration.ringtoneSound = "ring.caf"
        }
        return CXProvider(configuration: configuration)
    }()

    public init(makeConnection: @escaping () -> PeerConnecting) {
        self.makeConnection = makeConnection
        super.init()
        provider.setDelegate(self, queue: workQueue)
        callController.callObserver.setDelegate(self, queue: workQueue)
    }

    deinit {
        provider.invalidate()
    }

    public var hasActiveCall: Bool {
        return callController.callObserver.calls.first(where: { !$0.hasEnded && !$0.isOnHold })
            != nil
    }

    // MARK: - Public

    public func startCall(to peer: String, video: Bool, completion: ((NSError?) -> Void)? = nil) {
        let action = CXStartCallAction(call: UUID(), handle: CXHandle(type: .generic, value: peer))
        action.isVideo = video
        action.contactIdentifier = peer
        request([action], completion: completion)
    }

    public func receiveCall(_ uuid: UUID, from peer: String, completion: @escaping (Bool) -> Void) {
        let call = PeerCall(uuid: uuid, peer: peer, connection: makeConnection())
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: peer)
        update.localizedCallerName = peer.capitalized
        (update.supportsHolding, update.supportsGrouping, update.supportsUngrouping) =
            (true, false, false)
        call.backgroundTask = UIApplication.shared.beginBackgroundTask(withName: "Ring") {}
        provider.reportNewIncomingCall(with: uuid, update: update) { [weak self] error in
            guard let self = self else { return completion(false) }
            if let error = error as NSError? {
                switch CXErrorCodeIncomingCallError.Code(rawValue: error.code) {
                case .filteredByDoNotDisturb?, .filteredByBlockList?:
                    NSLog("%@", "the user does not want this call")
                case .callUUIDAlreadyExists?, .unentitled?, .unknown?, nil:
                    self.remove(call, error: error)
                default: break
                }
                self.endBackgroundTask(of: call)
                return completion(false)
            }
            self.calls[uuid] = call
            self.delegate?.callManager(self, didAdd: call)
            self.setState(.ringing, of: call)
            self.startRingTimer(for: call)
            completion(true)
        }
    }

    public func peerDidHangUp(_ uuid: UUID, busy: Bool) {
        workQueue.async {
            guard let call = self.calls[uuid] else { return }
            self.provider.reportCall(
                with: uuid, endedAt: Date(), reason: busy ? .unanswered : .remoteEnded)
            self.remove(call, error: nil)
        }
    }

    public func peerDidAnswer(_ uuid: UUID) {
        workQueue.async {
            guard let call = self.calls[uuid], call.state == .calling else { return }
            self.provider.reportOutgoingCall(with: uuid, connectedAt: Date())
            self.setState(.connected, of: call)
        }
    }

    public func endAllCalls(completion: ((NSError?) -> Void)? = nil) {
        workQueue.async {
            let actions = self.calls.values
                .sorted { $0.uuid.uuidString < $1.uuid.uuidString }
                .map { CXEndCallAction(call: $0.uuid) }
            guard actions.count > 0 else { return completion?(nil) ?? () }
            self.request(actions, completion: completion)
        }
    }

    // MARK: - Private

    private func request(_ actions: [CXCallAction], completion: ((NSError?) -> Void)?) {
        let transaction = CXTransaction(actions: actions)
        callController.request(transaction) { error in
            guard let error = error else { completion?(nil); return }
            var userInfo: [String: Any] = [NSUnderlyingErrorKey: error]
            if let code = (error as? CXErrorCodeRequestTransactionError)?.code {
                switch code {
                case .maximumCallGroupsReached:
                    userInfo[NSLocalizedDescriptionKey] = "too many calls"
                case .unknownCallProvider, .unknownCallUUID, .callUUIDAlreadyExists:
                    userInfo[NSLocalizedDescriptionKey] = "out of step with the system"
                case .unknown, .unentitled, .emptyTransaction, .invalidAction, .callIsProtected:
                    break
                @unknown default:
                    break
                }
            }
            completion?(
                NSError(
                    domain: PeerCallManager.errorDomain, code: (error as NSError).code,
                    userInfo: userInfo))
        }
    }

    private func startRingTimer(for call: PeerCall) {
        let timer = DispatchWorkItem { [weak self, weak call] in
            guard let self = self, let call = call, call.state == .ringing else { return }
            self.provider.reportCall(with: call.uuid, endedAt: nil, reason: .unanswered)
            self.remove(call, error: nil)
        }
        call.ringTimer = timer
        workQueue.asyncAfter(deadline: .now() + .seconds(90), execute: timer)
    }

    private func setState(_ state: PeerCall.State, of call: PeerCall) {
        call.state = state
        if state != .ringing { call.ringTimer?.cancel() }
        delegate?.callManager(self, didUpdate: call)
    }

    private func remove(_ call: PeerCall, error: NSError?) {
        call.ringTimer?.cancel()
        call.connection.close()
        call.state = .ended
        endBackgroundTask(of: call)
        guard calls.removeValue(forKey: call.uuid) != nil || error != nil else { return }
        delegate?.callManager(self, didRemove: call, error: error)
    }

    private func endBackgroundTask(of call: PeerCall) {
        guard call.backgroundTask != .invalid else { return }
        UIApplication.shared.endBackgroundTask(call.backgroundTask)
        call.backgroundTask = .invalid
    }

    private func configureAudioSession() {
        let session = AVAudioSession.sharedInstance()
        do {
            try session.setCategory(
                AVAudioSession.Category.playAndRecord, mode: .voiceChat,
                options: [.allowBluetooth, .allowBluetoothA2DP])
            try session.setMode(AVAudioSession.Mode.voiceChat)
        } catch let error as NSError {
            NSLog("audio session: %@", error.localizedDescription)
        }
    }
}

// MARK: - CXProviderDelegate

extension PeerCallManager: CXProviderDelegate {
    public func providerDidReset(_ provider: CXProvider) {
        calls.values.forEach { remove($0, error: nil) }
    }

    public func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        configureAudioSession()
        let call = PeerCall(
            uuid: action.callUUID, peer: action.handle.value, connection: makeConnection())
        calls[action.callUUID] = call
        delegate?.callManager(self, didAdd: call)
        call.connection.offer(to: call.peer) { [weak self] sdp, error in
            guard let self = self, sdp != nil, error == nil else {
                self?.remove(call, error: error as NSError?)
                return action.fail()
            }
            action.fulfill(withDateStarted: Date())
            provider.reportOutgoingCall(with: action.callUUID, startedConnectingAt: nil)
            self.setState(.calling, of: call)
        }
    }

    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        guard let call = calls[action.callUUID] else {
            action.fail()
            return
        }
        configureAudioSession()
        call.connection.answer { error in
            error == nil ? action.fulfill(withDateConnected: Date()) : action.fail()
            if error == nil { self.setState(.connected, of: call) }
        }
    }

    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        defer { action.fulfill(withDateEnded: Date()) }
        guard let call = calls[action.callUUID] else { return }
        remove(call, error: nil)
    }

    public func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        guard let call = calls[action.callUUID] else { return action.fail() }
        call.connection.setAudioEnabled(!action.isOnHold)
        setState(action.isOnHold ? .held : .connected, of: call)
        action.fulfill()
    }

    public func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        calls[action.callUUID]?.connection.setAudioEnabled(!action.isMuted)
        action.fulfill()
    }

    public func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        if let action = action as? CXCallAction, let call = calls[action.callUUID] {
            remove(call, error: NSError(domain: Self.errorDomain, code: NSURLErrorTimedOut))
        }
    }

    public func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        isAudioSessionActive = true
    }

    public func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        isAudioSessionActive = false
    }
}

extension PeerCallManager: CXCallObserverDelegate {
    public func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        switch (call.isOutgoing, call.hasConnected, call.hasEnded) {
        case (_, _, true): NSLog("ended")
        case (true, false, false): NSLog("dialing")
        case (false, false, false): NSLog("incoming")
        case (_, true, false): NSLog(call.isOnHold ? "held" : "connected")
        }
    }
}
