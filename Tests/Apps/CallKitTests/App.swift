import AVFoundation
import CallClient
import CallModel
import Testing

@testable import CallKit

/// An app written for CallKit: it writes down what it is told, and does what it is asked, but for
/// the actions that the test keeps to itself.
final class App: NSObject, CXProviderDelegate, @unchecked Sendable {
    let diary = Diary()
    let provider: CXProvider
    private let takesTransactions: Bool
    private let keeps: [AnyClass]
    private let lock = NSLock()
    private var kept: [CXAction] = []

    /// - Parameters:
    ///   - keeps: classes of actions that are neither fulfilled nor failed here.
    ///   - provider: instead of one of its own.
    init(
        _ configuration: CXProviderConfiguration = CXProviderConfiguration(),
        takesTransactions: Bool = false, keeps: [AnyClass] = [],
        queue: DispatchQueue? = DispatchQueue(label: "app"), provider: CXProvider? = nil
    ) {
        self.takesTransactions = takesTransactions
        self.keeps = keeps
        self.provider = provider ?? CXProvider(configuration: configuration)
        super.init()
        self.provider.setDelegate(self, queue: queue)
    }

    deinit {
        provider.invalidate()
    }

    /// The actions that the test has to settle.
    var open: [CXAction] {
        lock.withLock { kept }
    }

    /// The first so many lines, as soon as there are; nobody lets go of the app meanwhile.
    func lines(
        _ count: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> [String] {
        await diary.lines(count, sourceLocation: sourceLocation)
    }

    private func note(_ line: String, _ action: CXAction) {
        let isKept = takesTransactions || keeps.contains { $0 == type(of: action) }
        if isKept { lock.withLock { kept.append(action) } }
        if !isKept { action.fulfill() }
        diary.note(line)
    }

    func providerDidReset(_ provider: CXProvider) {
        diary.note("reset")
    }

    func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool {
        if takesTransactions { lock.withLock { kept += transaction.actions } }
        let names = transaction.actions.map { String(describing: type(of: $0)) }
        diary.note("execute " + names.joined(separator: ", "))
        return takesTransactions
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        note("start \(action.handle.value)\(action.isVideo ? " video" : "")", action)
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        note("answer", action)
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        note("end", action)
    }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        note(action.isOnHold ? "hold" : "resume", action)
    }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        note(action.isMuted ? "mute" : "unmute", action)
    }

    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
        note(action.callUUIDToGroupWith == nil ? "split" : "merge", action)
    }

    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        note("tones \(action.digits) \(action.type.rawValue)", action)
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        diary.note("timed out \(type(of: action))")
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        diary.note("audio on")
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        diary.note("audio off")
    }
}

/// The broker that all tests of this suite share: a process has one broker to look for.
enum Shared {
    static let host: Host? = {
        let host = try? Host()
        if let host {
            ProviderRegistry.shared.options = host.options
            ProviderRegistry.shared.patience = 300
        }
        return host
    }()
}

extension App {
    /// A call that rings.
    func rings(_ update: CXCallUpdate = CXCallUpdate()) async throws -> UUID {
        let call = UUID()
        if update.remoteHandle == nil {
            update.remoteHandle = CXHandle(type: .phoneNumber, value: "+15550101")
        }
        try await provider.reportNewIncomingCall(with: call, update: update)
        return call
    }

    /// As the broker knows it.
    var id: ProviderID { ProviderID(provider.identity) }

    /// Waits until the broker has everything that was reported: it answers in order.
    func isHeard() async {
        try? await CXCallController().request(CXTransaction(CXAnswerCallAction(call: UUID())))
    }

    /// A call that speaks, with what was noted on the way taken off the diary.
    func speaks(_ user: CallController) async throws -> UUID {
        let call = try await rings()
        try await user.answer(CallID(call), nil, .completed)
        return call
    }
}

extension CXTransaction {
    convenience init(_ actions: CXAction...) {
        self.init(actions: actions)
    }
}

/// The code that an error of CallKit has; nil for anything else.
func code(_ error: any Error) -> Int? {
    (error as? CXErrorCodeRequestTransactionError)?.code.rawValue
        ?? (error as? CXErrorCodeIncomingCallError)?.code.rawValue
}
