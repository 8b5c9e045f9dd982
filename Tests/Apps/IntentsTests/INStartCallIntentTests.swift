import Intents
import Testing

struct INStartCallIntentTests {
    private let intent = INStartCallIntent(
        contacts: [
            INPerson(
                personHandle: INPersonHandle(value: "+15550100", type: .phoneNumber),
                nameComponents: nil, displayName: nil, contactIdentifier: "contact-7",
                customIdentifier: nil)
        ], callCapability: .videoCall)

    @Test func `an intent is what it was made of`() {
        let person = intent.contacts?.first
        #expect(person?.personHandle?.value == "+15550100")
        #expect(person?.displayName == "+15550100")
        #expect(person?.contactIdentifier == "contact-7")
        #expect(intent.callCapability == .videoCall)
    }

    @Test func `an activity is read as apps read it`() throws {
        let activity = NSUserActivity(activityType: INStartAudioCallIntentIdentifier)
        let person = try #require(intent.contacts?.first)
        activity.interaction = INInteraction(
            intent: INStartAudioCallIntent(contacts: [person]), response: nil)
        let audio = activity.interaction?.intent as? INStartAudioCallIntent
        #expect(audio?.contacts?.first?.personHandle?.value == "+15550100")
        #expect(audio?.destinationType == .normal)
        #expect(activity.interaction?.intent as? INStartVideoCallIntent == nil)
    }

    @Test func `a donation is refused`() async {
        await #expect(throws: NSError.self) {
            try await INInteraction(intent: intent, response: nil).donate()
        }
    }
}
