internal import CallClient
internal import CallModel
internal import Intents

/// The calls that the user requested outside the app, with the tool or a link, and that the app has
/// not started yet. As on an iPhone, an app receives an intent for each and starts the call itself.
/// Its start then adopts the call that the broker has begun, under the id that the app gives it.
///
/// Not thread-safe: the provider's lock guards it.
struct PendingStartIntents {
    private struct StartIntent {
        let request: ActionRequest
        /// The app is receiving the intent at this moment.
        var isBeingDelivered = false
        /// A start of the app adopts the call.
        var isClaimed = false
    }

    private var intents: [StartIntent] = []
    /// Calls that the app has not started, and so does not know.
    private var unknownToApp: Set<CallID> = []

    /// Returns whether the app receives a request as an intent.
    static func accepts(_ request: ActionRequest) -> Bool {
        request.action.kind == .start && request.cause.origin != .app && ActivityDoor.shared.isOpen
    }

    func isUnknownToApp(_ call: CallID) -> Bool {
        unknownToApp.contains(call)
    }

    mutating func add(_ request: ActionRequest) {
        intents.append(StartIntent(request: request))
        unknownToApp.insert(request.call)
    }

    /// Marks the start or end of a delivery. Returns false if the intent was claimed or dropped,
    /// and need not be delivered any more.
    mutating func setBeingDelivered(_ action: ActionID, _ isBeingDelivered: Bool) -> Bool {
        guard let index = intents.firstIndex(where: { $0.request.id == action }),
            !intents[index].isClaimed
        else { return false }
        intents[index].isBeingDelivered = isBeingDelivered
        return true
    }

    /// Claims the intent that a start of the app belongs to: the one for the same address,
    /// otherwise the one that is being delivered, because the app may know the address in another
    /// form.
    mutating func claim(for address: String) -> ActionRequest? {
        let open = intents.indices.filter { !intents[$0].isClaimed }
        let same = open.first { intents[$0].request.start?.remote.value == address }
        guard let index = same ?? open.first(where: { intents[$0].isBeingDelivered }) else {
            return nil
        }
        intents[index].isClaimed = true
        return intents[index].request
    }

    /// Removes an intent whose start the app now performs. Returns false if it was withdrawn
    /// before.
    mutating func begin(_ request: ActionRequest) -> Bool {
        guard drop(request.id) else { return false }
        unknownToApp.remove(request.call)
        return true
    }

    /// Removes an intent that the broker withdrew or that timed out. Returns whether there was one.
    @discardableResult
    mutating func drop(_ action: ActionID) -> Bool {
        guard let index = intents.firstIndex(where: { $0.request.id == action }) else {
            return false
        }
        intents.remove(at: index)
        return true
    }

    /// Removes a call that has ended. Returns whether the app did not know it.
    mutating func forget(_ call: CallID) -> Bool {
        unknownToApp.remove(call) != nil
    }
}

extension ActionRequest {
    /// The arguments of a start; nil for other actions.
    var start: StartArguments? {
        if case .start(let start) = action { start } else { nil }
    }
}

extension NSUserActivity {
    /// The activities to pass to the app until it handles one: first with the intent of today, then
    /// with the one from before iOS 13.
    static func starting(_ start: StartArguments) -> [NSUserActivity] {
        let person = INPerson(
            personHandle: INPersonHandle(
                value: LongTexts.shared.whole(start.remote.value), type: start.remote.personType),
            nameComponents: nil, displayName: nil,
            contactIdentifier: start.contact.map { LongTexts.shared.whole($0) },
            customIdentifier: nil)
        let former: (type: String, intent: INIntent) =
            start.hasVideo
            ? (INStartVideoCallIntentIdentifier, INStartVideoCallIntent(contacts: [person]))
            : (INStartAudioCallIntentIdentifier, INStartAudioCallIntent(contacts: [person]))
        let intent = INStartCallIntent(
            contacts: [person], callCapability: start.hasVideo ? .videoCall : .audioCall)
        return [
            NSUserActivity("INStartCallIntent", intent), NSUserActivity(former.type, former.intent),
        ]
    }

    private convenience init(_ type: String, _ intent: INIntent) {
        self.init(activityType: type)
        interaction = INInteraction(intent: intent, response: nil)
    }
}

extension Handle {
    fileprivate var personType: INPersonHandleType {
        switch kind {
        case .phone: .phoneNumber
        case .email: .emailAddress
        case .generic, .other: .unknown
        }
    }
}
