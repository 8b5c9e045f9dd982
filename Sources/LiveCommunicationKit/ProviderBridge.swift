internal import CallKit

/// The delegate of the provider and the observer behind a manager. Everything comes on the main
/// queue.
final class ProviderBridge: NSObject, CXProviderDelegate, CXCallObserverDelegate,
    @unchecked Sendable
{
    // Set once, before the manager is used; the runtime makes weak references safe to read.
    weak var manager: ConversationManager?
    private let observer = CXCallObserver()

    func observe() {
        observer.setDelegate(self, queue: nil)
    }

    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        manager?.observed(call)
    }

    func providerDidBegin(_ provider: CXProvider) {
        manager?.began()
    }

    func providerDidReset(_ provider: CXProvider) {
        manager?.reset()
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        manager?.perform(action)
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        manager?.perform(action)
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        manager?.perform(action)
    }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        manager?.perform(action)
    }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        manager?.perform(action)
    }

    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
        manager?.perform(action)
    }

    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        manager?.perform(action)
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        manager?.timedOut(action)
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        manager?.audio(audioSession, isActive: true)
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        manager?.audio(audioSession, isActive: false)
    }
}
