import CallKit
import Foundation

@objc(RKObserver)
final class RKObserver: NSObject, CXCallObserverDelegate, @unchecked Sendable {
    let callObserver = CXCallObserver()
    private(set) var changes: [[String: Any]] = []

    override init() {
        super.init()
        callObserver.setDelegate(self, queue: nil)
    }

    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        changes.append([
            "callUUID": call.uuid.uuidString.lowercased(), "outgoing": call.isOutgoing,
            "onHold": call.isOnHold, "hasConnected": call.hasConnected, "hasEnded": call.hasEnded,
        ])
    }

    @objc func getCalls() -> [[String: Any]] {
        callObserver.calls.map { ["callUUID": $0.uuid.uuidString, "onHold": $0.isOnHold] }
    }
}
