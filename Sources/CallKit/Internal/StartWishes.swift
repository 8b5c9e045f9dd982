internal import CallClient
internal import CallModel
internal import Intents

/// Calls that the user asked for elsewhere, with the tool or a link. An app hears of them as on an
/// iPhone: as an intent, and starts the call itself. Its start is then the call that the broker has
/// begun, under the id that the app gives it.
///
/// Not thread-safe: the provider's lock guards it.
struct StartWishes {
    private struct Wish {
        let request: ActionRequest
        /// The app is being told of it, just now.
        var isBeingHanded = false
        /// A start of the app answers it.
        var isClaimed = false
    }

    private var wishes: [Wish] = []
    /// Calls that the app has not started: it knows nothing of them.
    private var untold: Set<CallID> = []

    /// Whether the app is to hear of this as an intent.
    static func takes(_ request: ActionRequest) -> Bool {
        request.action.kind == .start && request.cause.origin != .app && ActivityDoor.shared.isOpen
    }

    func isUntold(_ call: CallID) -> Bool {
        untold.contains(call)
    }

    mutating func add(_ request: ActionRequest) {
        wishes.append(Wish(request: request))
        untold.insert(request.call)
    }

    /// The app is told of it now, or was; false if nobody needs to tell it any more.
    mutating func setHanding(_ action: ActionID, _ isBeingHanded: Bool) -> Bool {
        guard let index = wishes.firstIndex(where: { $0.request.id == action }),
            !wishes[index].isClaimed
        else { return false }
        wishes[index].isBeingHanded = isBeingHanded
        return true
    }

    /// The one that a start of the app answers: that for the same address, or that which the app is
    /// just being told of, for it may know the address by another name.
    mutating func claim(for address: String) -> ActionRequest? {
        let open = wishes.indices.filter { !wishes[$0].isClaimed }
        let same = open.first { wishes[$0].request.start?.remote.value == address }
        guard let index = same ?? open.first(where: { wishes[$0].isBeingHanded }) else {
            return nil
        }
        wishes[index].isClaimed = true
        return wishes[index].request
    }

    /// The app is to perform it now; false if it was taken back.
    mutating func begin(_ request: ActionRequest) -> Bool {
        guard drop(request.id) else { return false }
        untold.remove(request.call)
        return true
    }

    /// The broker does not wait for it any more.
    @discardableResult
    mutating func drop(_ action: ActionID) -> Bool {
        guard let index = wishes.firstIndex(where: { $0.request.id == action }) else {
            return false
        }
        wishes.remove(at: index)
        return true
    }

    /// The call is over. True if the app knows nothing of it.
    mutating func forget(_ call: CallID) -> Bool {
        untold.remove(call) != nil
    }
}

extension ActionRequest {
    /// Nil if it is to do something else.
    var start: StartArguments? {
        if case .start(let start) = action { start } else { nil }
    }
}

extension NSUserActivity {
    /// What the app is handed until it sees to one of them: the intent of today, then that of
    /// before iOS 13.
    static func asking(for start: StartArguments) -> [NSUserActivity] {
        let person = INPerson(
            personHandle: INPersonHandle(value: start.remote.value, type: start.remote.personType),
            nameComponents: nil, displayName: nil, contactIdentifier: start.contact,
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
