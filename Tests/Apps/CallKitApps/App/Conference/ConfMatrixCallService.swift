import AVFoundation
import CallKit
import Combine
import UIKit

protocol ConfCallServiceProtocol {
    var actions: AnyPublisher<ConfCallAction, Never> { get }
    func setupCallSession(roomID: String, roomDisplayName: String) async
    func tearDownCallSession()
}

enum ConfCallAction: Equatable, Sendable {
    case startCall(roomID: String)
    case endCall(roomID: String)
    case setAudioEnabled(Bool, roomID: String)
}

/// Calls of rooms, for an app that is written with Combine and async functions.
final class ConfMatrixCallService: NSObject, ConfCallServiceProtocol, CXProviderDelegate,
    @unchecked Sendable
{
    private struct CallID: Equatable { let callKitID: UUID, roomID: String }

    private let callController = CXCallController()
    private lazy var callProvider: CXProvider = {
        let configuration = CXProviderConfiguration()
        configuration.supportsVideo = true
        configuration.includesCallsInRecents = true
        if let icon = UIImage(named: "images/app-logo") {
            configuration.iconTemplateImageData = icon.pngData()
        }
        configuration.supportedHandleTypes = [.generic]
        return CXProvider(configuration: configuration)
    }()
    private let actionsSubject: PassthroughSubject<ConfCallAction, Never> = .init()
    private var ongoingCallID: CallID?

    var actions: AnyPublisher<ConfCallAction, Never> { actionsSubject.eraseToAnyPublisher() }

    override init() {
        super.init()
        callProvider.setDelegate(self, queue: nil)
    }

    func setupCallSession(roomID: String, roomDisplayName: String) async {
        let callID = CallID(callKitID: UUID(), roomID: roomID)
        ongoingCallID = callID
        let handle = CXHandle(type: .generic, value: roomDisplayName)
        let start = CXStartCallAction(call: callID.callKitID, handle: handle)
        start.isVideo = true
        do {
            try await callController.request(CXTransaction(action: start))
        } catch {
            NSLog("Failed requesting start call action with error: %@", "\(error)")
        }
    }

    func tearDownCallSession() {
        guard let ongoingCallID else { return }
        let end = CXEndCallAction(call: ongoingCallID.callKitID)
        callController.request(CXTransaction(action: end)) { _ in }
    }

    func providerDidReset(_ provider: CXProvider) {}

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        if let ongoingCallID {
            actionsSubject.send(
                .setAudioEnabled(!action.isMuted, roomID: ongoingCallID.roomID))
        }
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        if let ongoingCallID { actionsSubject.send(.endCall(roomID: ongoingCallID.roomID)) }
        ongoingCallID = nil
        action.fulfill()
    }
}
