// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CallKit

// Protocols around CallKit's classes, so that an app's tests can put others in their place; and
// extensions that make CallKit speak the app's language.

public protocol CallProviding: AnyObject {
    var configuration: CXProviderConfiguration { get set }
    func setDelegate(_ delegate: CXProviderDelegate?, queue: DispatchQueue?)
    func reportNewIncomingCall(
        with UUID: UUID, update: CXCallUpdate, completion: @escaping @Sendable (Error?) -> Void)
    func reportCall(with UUID: UUID, updated update: CXCallUpdate)
    func reportCall(
        with UUID: UUID, endedAt dateEnded: Date?, reason endedReason: CXCallEndedReason)
    func invalidate()
}

public protocol CallControlling {
    func request(_ transaction: CXTransaction, completion: @escaping @Sendable (Error?) -> Void)
}

extension CXProvider: CallProviding {}
extension CXCallController: CallControlling {}

public enum Hangup {
    case busy, lost, remote, timeout
}

extension CXCallEndedReason {
    public init(_ hangup: Hangup) {
        switch hangup {
        case .busy: self = .declinedElsewhere
        case .lost: self = .failed
        case .remote: self = .remoteEnded
        case .timeout: self = .unanswered
        }
    }
}

extension CXHandle {
    public static func phone(_ number: String) -> CXHandle {
        CXHandle(type: .phoneNumber, value: number)
    }

    public var isPhoneNumber: Bool { type == .phoneNumber }
}

extension CXCallUpdate {
    public convenience init(caller: String, name: String? = nil) {
        self.init()
        remoteHandle = .phone(caller)
        localizedCallerName = name
    }
}

extension CXTransaction {
    public convenience init(_ actions: CXAction...) {
        self.init(actions: actions)
    }
}

extension CXCall {
    public var isLive: Bool { hasConnected && !hasEnded }
}

/// A service that gets what it works with, and never names a class of its own choice.
public final class CallService: NSObject, CXProviderDelegate {
    private let provider: CallProviding
    private let controller: CallControlling
    public var onEvent: ((String) -> Void)?

    public init(provider: CallProviding, controller: CallControlling) {
        self.provider = provider
        self.controller = controller
        super.init()
        provider.setDelegate(self, queue: DispatchQueue(label: "service"))
    }

    public func ring(_ uuid: UUID, from caller: String, done: @escaping (Error?) -> Void) {
        provider.reportNewIncomingCall(with: uuid, update: CXCallUpdate(caller: caller)) { error in
            done(error)
        }
    }

    public func hangUp(_ uuid: UUID, _ hangup: Hangup) {
        provider.reportCall(with: uuid, endedAt: nil, reason: CXCallEndedReason(hangup))
    }

    public func swap(_ active: UUID, _ held: UUID, done: @escaping (Error?) -> Void) {
        controller.request(
            CXTransaction(
                CXSetHeldCallAction(call: active, onHold: true),
                CXSetHeldCallAction(call: held, onHold: false))
        ) { done($0) }
    }

    public func stop() {
        provider.invalidate()
    }

    public func providerDidReset(_ provider: CXProvider) {
        onEvent?("reset")
    }

    // Several actions are taken over as a whole.
    public func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool {
        guard transaction.actions.count > 1 else { return false }
        onEvent?("took \(transaction.actions.count)")
        for action in transaction.actions { action.fulfill() }
        return transaction.isComplete
    }

    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        onEvent?("answer")
        action.fulfill()
    }

    public func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        onEvent?(action.isOnHold ? "hold" : "resume")
        action.fulfill()
    }

    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        onEvent?("end")
        action.fulfill()
    }
}
