internal import CallClient
internal import CallModel
internal import Intents

/// Calls that the user asked for elsewhere.
extension CXProvider {
    /// Whether the app's delegate has nothing to do with it: an intent tells of it, or the app does
    /// not know the call.
    func takesAsWish(_ request: ActionRequest) -> Bool {
        if StartWishes.takes(request), let start = request.start {
            withWishes { $0.add(request) }
            hand(NSUserActivity.asking(for: start), for: request)
            return true
        }
        guard request.action == .end, withWishes({ $0.forget(request.call) }) else { return false }
        settle(request, .fulfilled(atMS: nil))
        return true
    }

    /// Whether a transaction cannot be offered to the app as a whole.
    func hasWishes(_ requests: [ActionRequest]) -> Bool {
        requests.contains { request in
            StartWishes.takes(request) || withWishes { $0.isUntold(request.call) }
        }
    }

    /// One after the other, until the app sees to one; if it sees to none its delegate is to
    /// perform the start.
    private func hand(_ activities: [NSUserActivity], for request: ActionRequest) {
        let here = WeakProvider(self)
        let handed = Handed(activities)
        Task { @MainActor in
            for activity in handed.value {
                guard here.provider?.setHanding(request, true) ?? false else { return }
                let isTaken = ActivityDoor.shared.hand(activity)
                guard here.provider?.setHanding(request, false) ?? false, !isTaken else { return }
            }
            if let provider = here.provider, provider.withWishes({ $0.begin(request) }) {
                provider.perform(request)
            }
        }
    }

    private func setHanding(_ request: ActionRequest, _ isBeingHanded: Bool) -> Bool {
        withWishes { $0.setHanding(request.id, isBeingHanded) }
    }

    /// Whether these actions of the app start a call that there is already, because the user has
    /// asked for it. What else they ask for comes first.
    func answersWish(
        _ actions: [CXCallAction], completion: @escaping @Sendable ((any Error)?) -> Void
    ) -> Bool {
        guard let start = actions.lazy.compactMap({ $0 as? CXStartCallAction }).first,
            !hasCall(start.callUUID),
            let request = withWishes({ $0.claim(for: start.handle.value) })
        else { return false }
        let handed = Handed((self, start))
        let rest = actions.filter { $0 !== start }
        guard !rest.isEmpty else {
            begin(request, with: start, completion: completion)
            return true
        }
        send(rest) { error in
            let (provider, start) = handed.value
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
        guard withWishes({ $0.begin(request) }) else {
            return completion(
                CXErrorCodeRequestTransactionError.refused(
                    .unknownCallUUID, "the call was taken back by whoever asked for it"))
        }
        ProviderRegistry.shared.name(request.call, start.callUUID)
        tell(start, of: request)
        willPerform(start, for: request)
        completion(nil)
        perform(request)
    }

    /// The app may know whom it calls by another name, or have no picture.
    private func tell(_ start: CXStartCallAction, of request: ActionRequest) {
        guard let wish = request.start else { return }
        var update = CallUpdate()
        if start.handle.handle.value != wish.remote.value {
            update.remote = .set(start.handle.handle)
        }
        if start.isVideo != wish.hasVideo { update.hasVideo = .set(start.isVideo) }
        if update != CallUpdate() { reportUpdate(of: request.call, update) }
    }
}
