import CallKit
import Foundation

/// Says why the app's call went on hold.
final class PVCallObserver: NSObject, CXCallObserverDelegate, @unchecked Sendable {
    private let observer = CXCallObserver()
    var own: Set<UUID> = []
    var interrupted: ((Bool) -> Void)?

    override init() {
        super.init()
        observer.setDelegate(self, queue: DispatchQueue.main)
    }

    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        guard !own.contains(call.uuid) else { return }
        if call.hasEnded {
            interrupted?(false)
        } else if call.hasConnected || call.isOutgoing {
            interrupted?(true)
        }
    }
}
