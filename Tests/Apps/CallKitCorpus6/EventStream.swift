import AVFoundation
import CallKit

/// A delegate that makes a stream of what it is asked; the app fulfils.
public final class CallEvents: NSObject, CXProviderDelegate, Sendable {
    public enum Event: Sendable, Equatable {
        case began
        case answered(UUID)
        case ended(UUID)
        case held(UUID, Bool)
        case audio(Bool)
        case reset
    }

    public let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    public override init() {
        (events, continuation) = AsyncStream.makeStream()
        super.init()
    }

    public func providerDidBegin(_ provider: CXProvider) {
        continuation.yield(.began)
    }

    public func providerDidReset(_ provider: CXProvider) {
        continuation.yield(.reset)
    }

    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        continuation.yield(.answered(action.callUUID))
        action.fulfill()
    }

    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        continuation.yield(.ended(action.callUUID))
        action.fulfill()
    }

    public func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        continuation.yield(.held(action.callUUID, action.isOnHold))
        action.fulfill()
    }

    public func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        continuation.yield(.audio(true))
    }

    public func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        continuation.yield(.audio(false))
    }
}
