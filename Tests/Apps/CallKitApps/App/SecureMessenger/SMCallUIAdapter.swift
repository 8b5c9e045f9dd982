import CallKit
import Foundation
import UIKit

protocol SMCallUIAdaptee: AnyObject {
    func startOutgoingCall(_ call: SMCall)
    func reportIncomingCall(_ call: SMCall, completion: @escaping (Error?) -> Void)
    func localHangupCall(_ call: SMCall)
}

final class SMCall: @unchecked Sendable {
    enum State { case idle, dialing, ringing, connected, ended }

    let localId = UUID()
    let remoteAddress: String
    var state = State.idle
    var hasVideo = false

    init(remoteAddress: String) {
        self.remoteAddress = remoteAddress
    }
}

/// Chooses between the system's screen of calls and the app's own.
@MainActor
final class SMCallUIAdapter {
    private let adaptee: SMCallUIAdaptee
    private var backgroundTask = UIBackgroundTaskIdentifier.invalid

    init(adaptee: SMCallUIAdaptee) {
        self.adaptee = adaptee
    }

    func reportIncomingCall(_ call: SMCall) {
        backgroundTask = UIApplication.shared.beginBackgroundTask(withName: "ring") {}
        adaptee.reportIncomingCall(call) { error in
            if error != nil { call.state = .ended }
        }
        UIApplication.shared.endBackgroundTask(backgroundTask)
        backgroundTask = .invalid
    }

    func startOutgoing(to address: String) -> SMCall {
        let call = SMCall(remoteAddress: address)
        UIApplication.shared.isIdleTimerDisabled = true
        adaptee.startOutgoingCall(call)
        return call
    }

    func hangUp(_ call: SMCall) {
        UIApplication.shared.isIdleTimerDisabled = false
        adaptee.localHangupCall(call)
    }
}
