import Intents

class SpkIntentHandler: INExtension, INStartAudioCallIntentHandling {
    func handle(
        intent: INStartAudioCallIntent,
        completion: @escaping (INStartAudioCallIntentResponse) -> Void
    ) {
        let response: INStartAudioCallIntentResponse
        defer { completion(response) }
        // Ensure there is a person handle.
        guard intent.contacts?.first?.personHandle != nil else {
            response = INStartAudioCallIntentResponse(code: .failure, userActivity: nil)
            return
        }
        let userActivity = NSUserActivity(
            activityType: String(describing: INStartAudioCallIntent.self))
        response = INStartAudioCallIntentResponse(
            code: .continueInApp, userActivity: userActivity)
    }
}
