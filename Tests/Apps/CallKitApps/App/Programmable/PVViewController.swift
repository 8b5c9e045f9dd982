import AVFoundation
import CallKit
import UIKit

/// A sample of a programmable voice service: all in one controller.
class PVViewController: UIViewController, @preconcurrency CXProviderDelegate {
    let callKitProvider: CXProvider
    let callKitCallController: CXCallController
    var activeCalls: [UUID: String] = [:]
    var userInitiatedDisconnect = false
    var callKitCompletionCallback: ((Bool) -> Void)?

    required init?(coder aDecoder: NSCoder) {
        let configuration = CXProviderConfiguration(localizedName: "Voice Quickstart")
        configuration.maximumCallGroups = 2
        configuration.maximumCallsPerCallGroup = 1
        callKitProvider = CXProvider(configuration: configuration)
        callKitCallController = CXCallController()
        super.init(coder: aDecoder)
        callKitProvider.setDelegate(self, queue: nil)
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        // CallKit has an odd API contract where the developer must call invalidate or the
        // CXProvider is leaked.
        callKitProvider.invalidate()
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        toggleUIState(isEnabled: true)
    }

    func toggleUIState(isEnabled: Bool) {
        title = isEnabled ? "Ready" : "Calling"
    }

    @IBAction func mainButtonPressed(_ sender: Any) {
        let permission = AVAudioSession.sharedInstance().recordPermission
        guard permission == .granted else { return }
        performStartCallAction(uuid: UUID(), handle: "Voice Bot")
    }

    func performStartCallAction(uuid: UUID, handle: String) {
        let startCallAction = CXStartCallAction(
            call: uuid, handle: CXHandle(type: .generic, value: handle))
        callKitCallController.request(CXTransaction(action: startCallAction)) { error in
            if let error = error {
                NSLog("StartCallAction transaction request failed: \(error.localizedDescription)")
                return
            }
        }
    }

    func providerDidReset(_ provider: CXProvider) {
        NSLog("providerDidReset:")
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        activeCalls[action.callUUID] = action.handle.value
        toggleUIState(isEnabled: false)
        provider.reportOutgoingCall(with: action.callUUID, startedConnectingAt: Date())
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        guard activeCalls.removeValue(forKey: action.callUUID) != nil else { return action.fail() }
        action.fulfill(withDateEnded: Date())
    }
}
