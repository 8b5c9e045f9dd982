import CallKit
import Combine

/// The calls of the app, for its screen, and what the user wants done to them.
final class CallManager: NSObject, ObservableObject {
    static let shared = CallManager()

    typealias ErrorHandler = (NSError?) -> Void

    @Published private(set) var calls: [DirectCall] = []
    @Published private(set) var lastRefusal: String?

    private let controller = CXCallController()

    // MARK: What the user wants

    func startCall(to calleeID: String) {
        PigeonLoft.shared.dial(to: calleeID) { call, error in
            guard let call else { return self.refused(error as NSError?) }
            let handle = CXHandle(type: .generic, value: calleeID)
            self.request(CXStartCallAction(call: call.callUUID, handle: handle)) { error in
                if error != nil { call.end() }
            }
        }
    }

    func endCall(_ call: DirectCall) {
        request(CXEndCallAction(call: call.callUUID))
    }

    func holdCall(_ call: DirectCall, _ onHold: Bool) {
        request(CXSetHeldCallAction(call: call.callUUID, onHold: onHold))
    }

    func muteCall(_ call: DirectCall, _ muted: Bool) {
        request(CXSetMutedCallAction(call: call.callUUID, muted: muted))
    }

    private func request(_ action: CXCallAction, completionHandler: ErrorHandler? = nil) {
        controller.request(CXTransaction(action: action)) { error in
            DispatchQueue.main.async {
                self.refused(error as NSError?)
                completionHandler?(error as NSError?)
            }
        }
    }

    func refused(_ error: NSError?) {
        guard let error else { return }
        lastRefusal = "\(error.code) \(error.localizedDescription)"
    }

    // MARK: What the system did

    func add(_ call: DirectCall) {
        calls.append(call)
    }

    func remove(_ call: DirectCall) {
        calls.removeAll { $0 === call }
    }

    func removeAll() {
        calls.removeAll()
    }

    /// Something about one of the calls is different.
    func changed() {
        calls = calls.map { $0 }
    }
}
