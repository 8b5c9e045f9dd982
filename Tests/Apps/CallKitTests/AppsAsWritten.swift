// Code as apps for CallKit are written, in the current language mode: it must compile as it stands.
// What it does is tested in `AppsAsWrittenTests`.

import AVFoundation
import CallKit
import Intents

/// A manager as a singleton, with the delegate in an extension and closures everywhere.
final class PhoneManager: NSObject, @unchecked Sendable {
    enum PhoneError: Error {
        case busy, blocked, other(String)
    }

    let provider: CXProvider
    let callController = CXCallController(queue: .global(qos: .userInitiated))
    private let callQueue: dispatch_queue_t = DispatchQueue(label: "phone")
    private(set) var log: [String] = []
    private let lock = NSLock()

    override init() {
        let config: CXProviderConfiguration
        if #available(iOS 14.0, *) {
            config = CXProviderConfiguration()
        } else {
            config = CXProviderConfiguration(localizedName: "Phone")
        }
        config.maximumCallGroups = 2
        config.supportedHandleTypes = [.generic, .phoneNumber]
        config.includesCallsInRecents = false
        provider = CXProvider(configuration: config)
        super.init()
        provider.setDelegate(self, queue: callQueue)
    }

    func write(_ line: String) {
        lock.lock()
        defer { lock.unlock() }
        log.append(line)
    }

    /// An error is looked at in each of the ways that apps do it.
    func ring(uuid: UUID, from caller: String, done: @escaping @Sendable (PhoneError?) -> Void) {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: caller)
        update.localizedCallerName = caller
        update.supportsGrouping = false
        provider.reportNewIncomingCall(with: uuid, update: update) { error in
            guard let nsError = error as NSError? else { return done(nil) }
            guard nsError.domain == CXErrorDomainIncomingCall,
                let code = CXErrorCodeIncomingCallError.Code(rawValue: nsError.code)
            else { return done(.other(nsError.localizedDescription)) }
            switch code {
            case .callUUIDAlreadyExists: done(.busy)
            case .filteredByDoNotDisturb, .filteredByBlockList: done(.blocked)
            default: done(.other("\(nsError.code)"))
            }
        }
    }

    func hangUp(_ uuid: UUID) async -> Bool {
        do {
            try await callController.request(CXTransaction(action: CXEndCallAction(call: uuid)))
            return true
        } catch CXErrorCodeRequestTransactionError.unknownCallUUID {
            write("no such call")
        } catch let error as CXErrorCodeRequestTransactionError {
            write("refused \(error.code.rawValue)")
        } catch {
            write(error.localizedDescription)
        }
        return false
    }

    func swap(hold first: UUID, resume second: UUID) {
        let actions = [
            CXSetHeldCallAction(call: first, onHold: true),
            CXSetHeldCallAction(call: second, onHold: false),
        ]
        callController.requestTransaction(with: actions) { [weak self] error in
            if let error { self?.write("swap: \(error)") }
        }
    }

    var isOnACall: Bool {
        callController.callObserver.calls.contains { !$0.hasEnded && $0.hasConnected }
    }

    func handle(_ intent: INStartCallIntent) {
        guard let value = intent.contacts?.first?.personHandle?.value else { return }
        let action = CXStartCallAction(
            call: UUID(), handle: CXHandle(type: .phoneNumber, value: value))
        action.isVideo = intent.callCapability == .videoCall
        callController.requestTransaction(with: action) { _ in }
    }
}

extension PhoneManager: CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) {
        write("reset")
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        write("answer")
        action.fulfill(withDateConnected: .init())
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        write("end")
        action.fulfill(withDateEnded: .init())
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        try? audioSession.setActive(true, options: [.notifyOthersOnDeactivation])
        write("audio")
    }
}

/// A provider that only writes down what it is told: how apps test themselves.
final class MockProvider: CXProvider, @unchecked Sendable {
    private(set) var reported: [UUID] = []
    private(set) var ended: [CXCallEndedReason] = []

    override func reportNewIncomingCall(
        with UUID: UUID, update: CXCallUpdate,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        reported.append(UUID)
        completion(nil)
    }

    override func reportCall(
        with UUID: UUID, endedAt dateEnded: Date?, reason endedReason: CXCallEndedReason
    ) {
        ended.append(endedReason)
    }
}

/// An extension that lists callers.
final class DirectoryHandler: CXCallDirectoryProvider {
    override func beginRequest(with context: CXCallDirectoryExtensionContext) {
        context.delegate = self
        if context.isIncremental { context.removeAllIdentificationEntries() }
        context.addBlockingEntry(withNextSequentialPhoneNumber: 1_408_555_5555)
        context.addIdentificationEntry(
            withNextSequentialPhoneNumber: CXCallDirectoryPhoneNumber(1_877_555_5555),
            label: "Telemarketer")
        context.completeRequest()
    }
}

extension DirectoryHandler: CXCallDirectoryExtensionContextDelegate {
    func requestFailed(
        for extensionContext: CXCallDirectoryExtensionContext, withError error: any Error
    ) {
        NSLog("not loaded")
    }
}
