import CallKit
import Combine

/// The screen of the app: the calls, one in a line, whenever they change.
final class CallScreen {
    private var subscriptions: Set<AnyCancellable> = []

    init(_ manager: CallManager) {
        manager.$calls.dropFirst()
            .map { $0.map(Self.line).joined(separator: "; ") }
            .removeDuplicates()
            .sink { print("calls: \($0.isEmpty ? "none" : $0)") }
            .store(in: &subscriptions)
        manager.$lastRefusal.compactMap { $0 }
            .sink { print("refused: \($0)") }
            .store(in: &subscriptions)
    }

    private static func line(_ call: DirectCall) -> String {
        let state =
            call.isOnHold ? "on hold" : call.isConnected ? "connected" : "ringing"
        return "\(call.remoteID) \(state)" + (call.isLocalAudioEnabled ? "" : " muted")
    }
}
