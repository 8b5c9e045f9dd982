import CallKit

/// One call between two people, in the memory of this process: in place of a calling service's.
final class DirectCall {
    enum EndResult: String {
        case completed, declined, noAnswer, connectionLost
    }

    let callUUID = UUID()
    let callerID: String
    let calleeID: String
    let isOutgoing: Bool
    private(set) var isConnected = false
    private(set) var endResult: EndResult?
    private(set) var isLocalAudioEnabled = true
    private(set) var isOnHold = false
    weak var delegate: DirectCallDelegate?

    fileprivate init(from callerID: String, to calleeID: String, isOutgoing: Bool) {
        self.callerID = callerID
        self.calleeID = calleeID
        self.isOutgoing = isOutgoing
    }

    var isEnded: Bool { endResult != nil }
    var remoteID: String { isOutgoing ? calleeID : callerID }

    // MARK: What the user of this app does

    func accept() {
        connect()
    }

    func end() {
        end(.completed)
    }

    func muteMicrophone() {
        isLocalAudioEnabled = false
    }

    func unmuteMicrophone() {
        isLocalAudioEnabled = true
    }

    func setHeld(_ isHeld: Bool) {
        isOnHold = isHeld
    }

    // MARK: What the other side does

    fileprivate func connect() {
        guard !isConnected, !isEnded else { return }
        isConnected = true
        delegate?.didConnect(self)
    }

    fileprivate func end(_ result: EndResult) {
        guard !isEnded else { return }
        endResult = result
        delegate?.didEnd(self)
    }
}

protocol DirectCallDelegate: AnyObject {
    func didConnect(_ call: DirectCall)
    func didEnd(_ call: DirectCall)
}

/// The service that carries the calls, and everybody at the other end of them.
final class PigeonLoft {
    static let shared = PigeonLoft()
    static let userID = "me"

    weak var delegate: PigeonLoftDelegate?
    private var calls: [UUID: DirectCall] = [:]

    func call(for uuid: UUID) -> DirectCall? {
        calls[uuid]
    }

    /// Calls somebody, who answers a turn later.
    func dial(to calleeID: String, completion: @escaping (DirectCall?, Error?) -> Void) {
        guard calleeID != Self.userID else {
            return completion(nil, CocoaError(.featureUnsupported))
        }
        let call = DirectCall(from: Self.userID, to: calleeID, isOutgoing: true)
        calls[call.callUUID] = call
        completion(call, nil)
        DispatchQueue.main.async { call.connect() }
    }

    /// Somebody calls.
    func receive(from callerID: String) {
        let call = DirectCall(from: callerID, to: Self.userID, isOutgoing: false)
        calls[call.callUUID] = call
        delegate?.didStartRinging(call)
    }

    /// The other side hangs up.
    func hangUp(_ call: DirectCall) {
        call.end(call.isConnected || call.isOutgoing ? .completed : .noAnswer)
    }
}

protocol PigeonLoftDelegate: AnyObject {
    func didStartRinging(_ call: DirectCall)
}
