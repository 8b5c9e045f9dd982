import CallKit

/// A provider that counts what it reports, and otherwise is one.
open class CountingProvider: CXProvider {
    public private(set) var reports: [String] = []

    public init(name: String) {
        let configuration = CXProviderConfiguration(localizedName: name)
        configuration.supportedHandleTypes = [.generic]
        super.init(configuration: configuration)
    }

    open override func reportNewIncomingCall(
        with UUID: UUID, update: CXCallUpdate, completion: @escaping @Sendable (Error?) -> Void
    ) {
        reports.append("incoming")
        super.reportNewIncomingCall(with: UUID, update: update, completion: completion)
    }

    open override func reportCall(
        with UUID: UUID, endedAt dateEnded: Date?, reason endedReason: CXCallEndedReason
    ) {
        reports.append("ended \(endedReason.rawValue)")
        super.reportCall(with: UUID, endedAt: dateEnded, reason: endedReason)
    }

    open override func invalidate() {
        reports.append("invalid")
        super.invalidate()
    }
}

/// An action that carries what only the app knows.
open class ConferenceStartAction: CXStartCallAction {
    public var room: String?

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = ConferenceStartAction(call: callUUID, handle: handle)
        copy.room = room
        return copy
    }
}

/// A controller that remembers what it asked for.
open class RememberingController: CXCallController {
    public private(set) var requested: [CXTransaction] = []

    open override func request(
        _ transaction: CXTransaction, completion: @escaping @Sendable (Error?) -> Void
    ) {
        requested.append(transaction)
        super.request(transaction, completion: completion)
    }
}

/// A transaction with a name.
open class NamedTransaction: CXTransaction {
    public let name: String

    public init(name: String, actions: [CXAction]) {
        self.name = name
        super.init(actions: actions)
    }

    public required init?(coder: NSCoder) {
        name = ""
        super.init(coder: coder)
    }
}

/// A base class whose subclass does the work.
open class BaseDelegate: NSObject, CXProviderDelegate {
    public var log: (String) -> Void = { _ in }

    open func providerDidReset(_ provider: CXProvider) {
        log("reset")
    }

    open func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        action.fail()
    }
}

public final class ConferenceDelegate: BaseDelegate {
    public override func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        log("start \(action.handle.value)")
        action.fulfill(withDateStarted: Date())
        provider.reportOutgoingCall(with: action.callUUID, startedConnectingAt: Date())
        provider.reportOutgoingCall(with: action.callUUID, connectedAt: Date())
    }
}
