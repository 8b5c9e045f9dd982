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
        await #expect {
            try await INInteraction(intent: intent, response: nil).donate()
        } throws: { error in
            // INIntentErrorInteractionOperationNotSupported
            (error as NSError).domain == INIntentErrorDomain && (error as NSError).code == 1_900
        }
    }

    @Test func `a handler accepts what an intent has`() {
        let handler = CallHandler()
        let person = INPerson(
            personHandle: INPersonHandle(value: "a", type: .unknown), nameComponents: nil,
            displayName: nil, contactIdentifier: nil, customIdentifier: nil)
        let intent = INStartCallIntent(contacts: [person], callCapability: .videoCall)
        var codes: [INStartCallIntentResponseCode] = []
        handler.confirm(intent: intent) { codes.append($0.code) }
        handler.handle(intent: intent) { codes.append($0.code) }
        #expect(codes == [.ready, .continueInApp])
        var count = 0
        handler.resolveContacts(for: intent) { count = $0.count }
        #expect(count == 1)
        #expect(handler.handler(for: intent) as? CallHandler === handler)
    }

    @Test func `nothing is stored, so deleting succeeds`() {
        let errors = Errors()
        let intent = INStartCallIntent(contacts: nil, callCapability: .audioCall)
        INInteraction(intent: intent, response: nil).donate { errors.add($0) }
        INInteraction.delete(with: "group") { errors.add($0) }
        INInteraction.delete(with: ["a"]) { errors.add($0) }
        INInteraction.deleteAll { errors.add($0) }
        #expect(errors.list.map { $0 == nil } == [false, true, true, true])
    }

    @Test func `the name of an intent is the type of its activity`() {
        #expect(NSStringFromClass(INStartCallIntent.self) == "INStartCallIntent")
        #expect(
            NSStringFromClass(INStartAudioCallIntent.self) == INStartAudioCallIntentIdentifier)
    }
}

/// The main class of an extension, as apps have it.
private final class CallHandler: INExtension, INStartCallIntentHandling {
    func handle(
        intent: INStartCallIntent, completion: @escaping (INStartCallIntentResponse) -> Void
    ) {
        completion(INStartCallIntentResponse(code: .continueInApp, userActivity: nil))
    }
}

/// What completions were called with.
private final class Errors: @unchecked Sendable {
    private(set) var list: [(any Error)?] = []

    func add(_ error: (any Error)?) {
        list.append(error)
    }
}
