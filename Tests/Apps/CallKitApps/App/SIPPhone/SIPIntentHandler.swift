import Intents

class SIPIntentHandler: INExtension {
    override func handler(for intent: INIntent) -> Any? {
        self
    }
}

extension SIPIntentHandler: INStartCallIntentHandling {
    func resolveContacts(
        for intent: INStartCallIntent,
        with completion: @escaping ([INStartCallContactResolutionResult]) -> Void
    ) {
        guard let contacts = intent.contacts, !contacts.isEmpty else {
            return completion([INStartCallContactResolutionResult.needsValue()])
        }
        completion(contacts.map { INStartCallContactResolutionResult.success(with: $0) })
    }

    func handle(
        intent: INStartCallIntent, completion: @escaping (INStartCallIntentResponse) -> Void
    ) {
        let activity = NSUserActivity(activityType: NSStringFromClass(INStartCallIntent.self))
        completion(INStartCallIntentResponse(code: .continueInApp, userActivity: activity))
    }
}

extension SIPIntentHandler: INStartAudioCallIntentHandling, INStartVideoCallIntentHandling {
    func handle(
        intent: INStartAudioCallIntent,
        completion: @escaping (INStartAudioCallIntentResponse) -> Void
    ) {
        let activity = NSUserActivity(activityType: INStartAudioCallIntentIdentifier)
        completion(INStartAudioCallIntentResponse(code: .continueInApp, userActivity: activity))
    }

    func handle(
        intent: INStartVideoCallIntent,
        completion: @escaping (INStartVideoCallIntentResponse) -> Void
    ) {
        completion(
            INStartVideoCallIntentResponse(
                code: .failureAppConfigurationRequired, userActivity: nil))
    }
}
