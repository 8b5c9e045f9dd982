internal import CallClient
internal import CallModel
internal import Intents

/// Calls that the user requested outside the app.
extension CXProvider {
    /// Handles a request without the provider's delegate, and returns true, if the app receives it
    /// as an intent or does not know the call yet.
    func handlesAsStartIntent(_ request: ActionRequest) -> Bool {
        if PendingStartIntents.accepts(request), let start = request.start {
            withStartIntents { $0.add(request) }
            deliver(NSUserActivity.starting(start), for: request)
            return true
        }
        guard request.action == .end, withStartIntents({ $0.forget(request.call) }) else {
            return false
        }
        settle(request, .fulfilled(atMS: nil))
        return true
    }

    /// Returns whether a transaction cannot be offered to the app as a whole, because part of it is
    /// an intent or about a call that the app does not know.
    func includesStartIntent(_ requests: [ActionRequest]) -> Bool {
        requests.contains { request in
            PendingStartIntents.accepts(request)
                || withStartIntents { $0.isUnknownToApp(request.call) }
        }
    }

    /// Passes activities to the app, one after the other, until it handles one. If it handles none,
    /// the provider's delegate performs the start.
    private func deliver(_ activities: [NSUserActivity], for request: ActionRequest) {
        let weakSelf = WeakProvider(self)
        let transferred = Transferred(activities)
        Task { @MainActor in
            for activity in transferred.value {
                guard weakSelf.provider?.setBeingDelivered(request, true) ?? false else { return }
                let isHandled = ActivityDoor.shared.hand(activity)
                guard weakSelf.provider?.setBeingDelivered(request, false) ?? false, !isHandled
                else { return }
            }
            if let provider = weakSelf.provider,
                provider.withStartIntents({ $0.begin(request) })
            {
                provider.perform(request)
            }
        }
    }

    private func setBeingDelivered(_ request: ActionRequest, _ isBeingDelivered: Bool) -> Bool {
        withStartIntents { $0.setBeingDelivered(request.id, isBeingDelivered) }
    }

    /// Lets a start of the app adopt the call that the user requested outside the app, if there is
    /// one, and returns whether there is. The other actions of the transaction are requested first.
    func adoptsStartIntent(
        _ actions: [CXCallAction], completion: @escaping @Sendable ((any Error)?) -> Void
    ) -> Bool {
        guard let start = actions.lazy.compactMap({ $0 as? CXStartCallAction }).first,
            !hasCall(start.callUUID),
            let request = withStartIntents({ $0.claim(for: start.handle.handle.value) })
        else { return false }
        let transferred = Transferred((self, start))
        let rest = actions.filter { $0 !== start }
        guard !rest.isEmpty else {
            begin(request, with: start, completion: completion)
            return true
        }
        send(rest) { error in
            let (provider, start) = transferred.value
            guard let error else {
                return provider.begin(request, with: start, completion: completion)
            }
            provider.settle(request, .failed(reason: "refused"))
            completion(error)
        }
        return true
    }

    private func begin(
        _ request: ActionRequest, with start: CXStartCallAction,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        guard withStartIntents({ $0.begin(request) }) else {
            return completion(
                CXErrorCodeRequestTransactionError.refused(
                    .unknownCallUUID, "the user cancelled the call that this start belongs to"))
        }
        ProviderRegistry.shared.name(request.call, start.callUUID)
        reportDifferences(of: start, from: request)
        willPerform(start, for: request)
        completion(nil)
        perform(request)
    }

    /// Reports the address and the video of the app's start where they differ from the user's
    /// request.
    private func reportDifferences(of start: CXStartCallAction, from request: ActionRequest) {
        guard let requested = request.start else { return }
        var update = CallUpdate()
        if start.handle.handle.value != requested.remote.value {
            update.remote = .set(start.handle.handle)
        }
        if start.isVideo != requested.hasVideo { update.hasVideo = .set(start.isVideo) }
        if update != CallUpdate() { reportUpdate(of: request.call, update) }
    }
}
