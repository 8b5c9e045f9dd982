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
            // A transaction that was not offered: a single request, or one that is repeated.
            if let transaction, delegate.provider(provider, execute: transaction) {
                return provider.withTransactions { $0.take(request) }
            }
            if !action.isComplete { delegate.perform(action, for: provider) }
        } otherwise: {
            transferred.value.1.fail()
        }
    }

    /// Delivers the next action of a request.
    func perform(_ action: CXAction) {
        let transferred = Transferred(action)
        deliver { delegate, provider in
            if !transferred.value.isComplete { delegate.perform(transferred.value, for: provider) }
        } otherwise: {
            transferred.value.fail()
        }
    }

    /// Ends the actions of a request that the broker has cancelled.
    func withdrawn(_ id: ActionID) {
        withStartIntents { _ = $0.drop(id) }
        for action in withTransactions({ $0.open(id) }) { action.end() }
    }

    /// Ends the actions of a request that took too long, and delivers the one that did.
    func timedOut(_ id: ActionID) {
        withStartIntents { _ = $0.drop(id) }
        let ended = withTransactions { $0.remove(id) }.filter { $0.end() }
        guard let action = ended.first else { return }
        let transferred = Transferred(action)
        deliver { $0.provider($1, timedOutPerforming: transferred.value) }
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
