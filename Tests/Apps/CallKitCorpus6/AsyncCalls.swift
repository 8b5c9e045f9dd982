import AVFoundation
import CallKit

/// A manager of today: on the main actor, with async requests, and an observable state.
@MainActor public final class CallCenter: NSObject {
    public enum State: Equatable, Sendable {
        case idle
        case ringing(UUID)
        case talking(UUID)
    }

    public enum Failure: Error, Equatable {
        case notAllowed
        case busy
        case other(Int)
    }

    public private(set) var state = State.idle {
        didSet { changes.yield(state) }
    }

    public let states: AsyncStream<State>
    private let changes: AsyncStream<State>.Continuation
    private let provider: CXProvider
    private let controller = CXCallController()

    public override init() {
        (states, changes) = AsyncStream.makeStream(of: State.self)
        let configuration = CXProviderConfiguration()
        configuration.supportedHandleTypes = [.phoneNumber]
        provider = CXProvider(configuration: configuration)
        super.init()
        provider.setDelegate(self, queue: .main)
    }

    public func ring(_ uuid: UUID = UUID(), from number: String) async throws(Failure) {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .phoneNumber, value: number)
        do {
            try await provider.reportNewIncomingCall(with: uuid, update: update)
            state = .ringing(uuid)
        } catch CXErrorCodeIncomingCallError.filteredByDoNotDisturb,
            CXErrorCodeIncomingCallError.filteredByBlockList
        {
            throw .notAllowed
        } catch let error as CXErrorCodeIncomingCallError {
            throw error.code == .callUUIDAlreadyExists ? .busy : .other(error.code.rawValue)
        } catch {
            throw .other(-1)
        }
    }

    public func call(_ number: String) async throws -> UUID {
        let uuid = UUID()
        let handle = CXHandle(type: .phoneNumber, value: number)
        try await controller.request(
            CXTransaction(action: CXStartCallAction(call: uuid, handle: handle)))
        return uuid
    }

    public func hangUp() async throws {
        switch state {
        case .idle: return
        case .ringing(let uuid), .talking(let uuid):
            try await controller.requestTransaction(with: CXEndCallAction(call: uuid))
        }
    }

    public func close() {
        provider.invalidate()
    }
}

extension CallCenter: @preconcurrency CXProviderDelegate {
    public func providerDidReset(_ provider: CXProvider) {
        state = .idle
    }

    public func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        action.fulfill()
        provider.reportOutgoingCall(with: action.callUUID, connectedAt: nil)
        state = .talking(action.callUUID)
    }

    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        state = .talking(action.callUUID)
        action.fulfill()
    }

    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        state = .idle
        action.fulfill()
    }
}
