import AVFoundation
import CallKit
import Foundation
import os

struct SIPCallInfo {
    var callId: String
    var displayName: String?
    var accepted = false
    var isOutgoing = false
}

/// The bridge between a SIP core and CallKit.
final class SIPProviderDelegate: NSObject, CXProviderDelegate, @unchecked Sendable {
    private let provider: CXProvider
    var uuids: [String: UUID] = [:]
    var callInfos: [UUID: SIPCallInfo] = [:]
    var answered: ((UUID) -> Void)?

    override init() {
        provider = CXProvider(configuration: SIPProviderDelegate.configuration)
        super.init()
        provider.setDelegate(self, queue: nil)
    }

    static var configuration: CXProviderConfiguration {
        let configuration = CXProviderConfiguration(
            localizedName: Bundle.main.infoDictionary?["CFBundleName"] as? String ?? "SIP")
        configuration.ringtoneSound = "notes_of_the_optimistic.caf"
        configuration.supportsVideo = true
        configuration.maximumCallsPerCallGroup = 10
        configuration.maximumCallGroups = 10
        configuration.supportedHandleTypes = [.generic]
        return configuration
    }

    func reportIncomingCall(uuid: UUID, handle: String, hasVideo: Bool, displayName: String) {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: handle)
        update.hasVideo = hasVideo
        update.localizedCallerName = displayName
        provider.reportNewIncomingCall(with: uuid, update: update) { error in
            guard let error = error as NSError? else { return }
            let code = CXErrorCodeIncomingCallError.Code(rawValue: error.code)
            switch code {
            case .filteredByDoNotDisturb?, .filteredByBlockList?: self.decline(uuid, busy: true)
            default: self.decline(uuid, busy: false)
            }
        }
    }

    private func decline(_ uuid: UUID, busy: Bool) {
        os_log("declined, busy %d", log: .default, type: .info, busy ? 1 : 0)
        callInfos[uuid] = nil
    }

    func endCall(uuid: UUID) {
        provider.reportCall(with: uuid, endedAt: .init(), reason: .failed)
    }

    func providerDidReset(_ provider: CXProvider) {
        uuids.removeAll()
        callInfos.removeAll()
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        callInfos[action.callUUID]?.accepted = true
        answered?(action.callUUID)
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        os_log(.debug, "%{private}@", action.digits)
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
        action.fulfill()
    }
}
