import Intents

enum SMInteractionDonor {
    static func donate(callTo address: String, name: String, incoming: Bool, thread: String) {
        let handle = INPersonHandle(value: address, type: .unknown)
        let person = INPerson(
            personHandle: handle, nameComponents: nil, displayName: name, image: nil,
            contactIdentifier: nil, customIdentifier: thread)
        let intent = INStartCallIntent(
            callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown,
            destinationType: .normal, contacts: [person], callCapability: .audioCall)
        let interaction = INInteraction(intent: intent, response: nil)
        interaction.direction = incoming ? .incoming : .outgoing
        interaction.groupIdentifier = thread
        interaction.donate { error in
            if let error { NSLog("not donated: %@", "\(error)") }
        }
    }

    static func forget(thread: String) {
        INInteraction.delete(with: thread) { _ in }
    }

    static func forgetAll() {
        INInteraction.deleteAll(completion: nil)
    }
}
