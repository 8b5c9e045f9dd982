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

    @Test func `a donation is refused`() async {
        await #expect(throws: NSError.self) {
            try await INInteraction(intent: intent, response: nil).donate()
        }
    }
}
