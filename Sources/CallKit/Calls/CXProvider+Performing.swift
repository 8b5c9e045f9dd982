internal import AVFoundation
internal import CallClient
internal import CallModel

/// The delivery of actions and audio changes to the delegate.
extension CXProvider {
    /// Delivers an action that the broker did not request; its outcome is ignored.
    func perform(_ local: CXEndCallAction) {
        local.begin(deadlineMS: 5_000) { _ in }
        let transferred = Transferred(local)
        deliver { $0.perform(transferred.value, for: $1) }
    }

    func execute(_ id: TransactionID, _ requests: [ActionRequest]) {
        updateCalls(for: requests)
        let (port, weakSelf) = (port, WeakProvider(self))
        let transferred = Transferred(
            withTransactions { $0.add(id, requests) { weakSelf.provider?.settle($0, $1) } })
        deliver { delegate, provider in
            port?.decide(id, isTaken: delegate.provider(provider, execute: transferred.value))
        } otherwise: {
            port?.decide(id, isTaken: false)
        }
    }

    /// Delivers an action to the delegate; without a delegate it fails.
    func perform(_ request: ActionRequest) {
        updateCalls(for: [request])
        let weakSelf = WeakProvider(self)
        let (transaction, action) = withTransactions {
            $0.add(request) { weakSelf.provider?.settle($0, $1) }
        }
        let transferred = Transferred((transaction, action))
        deliver { delegate, provider in
            let (transaction, action) = transferred.value
            // A transaction that was not offered: a single action, or one that is repeated.
            if let transaction, delegate.provider(provider, execute: transaction) { return }
            if !action.isComplete { delegate.perform(action, for: provider) }
        } otherwise: {
            transferred.value.1.fail()
        }
    }

    /// Delivers an activation or deactivation of the audio, and records it first.
    func audioChanged(_ isActive: Bool) {
        let weakSelf = WeakProvider(self)
        deliver { delegate, provider in
            let session = AVAudioSession.sharedInstance()
            provider.setGranted(isActive)
            if isActive {
                delegate.provider(provider, didActivate: session)
            } else {
                delegate.provider(provider, didDeactivate: session)
            }
        } otherwise: {
            weakSelf.provider?.setGranted(isActive)
        }
    }
}
