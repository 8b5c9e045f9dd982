/// An object that chooses the handlers of intents.
public protocol INIntentHandlerProviding: NSObjectProtocol {
    /// Returns the handler of an intent.
    func handler(for intent: INIntent) -> Any?
}

/// The main class of an Intents extension. Nothing on Linux starts extensions: the host passes an
/// intent to the app itself, where a handler that answers `continueInApp` would send it too.
open class INExtension: NSObject, INIntentHandlerProviding {
    /// Makes an extension.
    override public init() {
        super.init()
    }

    /// Returns the extension itself, unless a subclass returns another handler.
    open func handler(for intent: INIntent) -> Any? {
        self
    }
}

/// A handler of intents to start a call. The host calls none; an app can.
public protocol INStartCallIntentHandling: NSObjectProtocol {
    /// Handles an intent, mostly with the code `continueInApp`.
    func handle(
        intent: INStartCallIntent, completion: @escaping (INStartCallIntentResponse) -> Void)
    /// Checks an intent before it is handled.
    func confirm(
        intent: INStartCallIntent, completion: @escaping (INStartCallIntentResponse) -> Void)
    /// Chooses the people to call.
    func resolveContacts(
        for intent: INStartCallIntent,
        with completion: @escaping ([INStartCallContactResolutionResult]) -> Void)
    /// Chooses between audio and video.
    func resolveCallCapability(
        for intent: INStartCallIntent,
        with completion: @escaping (INStartCallCallCapabilityResolutionResult) -> Void)
    /// Chooses the destination.
    func resolveDestinationType(
        for intent: INStartCallIntent,
        with completion: @escaping (INCallDestinationTypeResolutionResult) -> Void)
}

/// What a handler without the method does.
extension INStartCallIntentHandling {
    /// Answers `ready`.
    public func confirm(
        intent: INStartCallIntent, completion: @escaping (INStartCallIntentResponse) -> Void
    ) {
        completion(INStartCallIntentResponse(code: .ready, userActivity: nil))
    }

    /// Accepts the people of the intent.
    public func resolveContacts(
        for intent: INStartCallIntent,
        with completion: @escaping ([INStartCallContactResolutionResult]) -> Void
    ) {
        completion((intent.contacts ?? []).map { .success(with: $0) })
    }

    /// Accepts the capability of the intent.
    public func resolveCallCapability(
        for intent: INStartCallIntent,
        with completion: @escaping (INStartCallCallCapabilityResolutionResult) -> Void
    ) {
        completion(.success(with: intent.callCapability))
    }

    /// Accepts the destination of the intent.
    public func resolveDestinationType(
        for intent: INStartCallIntent,
        with completion: @escaping (INCallDestinationTypeResolutionResult) -> Void
    ) {
        completion(.success(with: intent.destinationType))
    }
}

/// A handler of intents to start an audio call, from before iOS 13. The host calls none.
public protocol INStartAudioCallIntentHandling: NSObjectProtocol {
    /// Handles an intent, mostly with the code `continueInApp`.
    func handle(
        intent: INStartAudioCallIntent,
        completion: @escaping (INStartAudioCallIntentResponse) -> Void)
    /// Checks an intent before it is handled.
    func confirm(
        intent: INStartAudioCallIntent,
        completion: @escaping (INStartAudioCallIntentResponse) -> Void)
    /// Chooses the people to call.
    func resolveContacts(
        for intent: INStartAudioCallIntent,
        with completion: @escaping ([INPersonResolutionResult]) -> Void)
    /// Chooses the destination.
    func resolveDestinationType(
        for intent: INStartAudioCallIntent,
        with completion: @escaping (INCallDestinationTypeResolutionResult) -> Void)
}

/// What a handler without the method does.
extension INStartAudioCallIntentHandling {
    /// Answers `ready`.
    public func confirm(
        intent: INStartAudioCallIntent,
        completion: @escaping (INStartAudioCallIntentResponse) -> Void
    ) {
        completion(INStartAudioCallIntentResponse(code: .ready, userActivity: nil))
    }

    /// Accepts the people of the intent.
    public func resolveContacts(
        for intent: INStartAudioCallIntent,
        with completion: @escaping ([INPersonResolutionResult]) -> Void
    ) {
        completion((intent.contacts ?? []).map { .success(with: $0) })
    }

    /// Accepts the destination of the intent.
    public func resolveDestinationType(
        for intent: INStartAudioCallIntent,
        with completion: @escaping (INCallDestinationTypeResolutionResult) -> Void
    ) {
        completion(.success(with: intent.destinationType))
    }
}

/// A handler of intents to start a video call, from before iOS 13. The host calls none.
public protocol INStartVideoCallIntentHandling: NSObjectProtocol {
    /// Handles an intent, mostly with the code `continueInApp`.
    func handle(
        intent: INStartVideoCallIntent,
        completion: @escaping (INStartVideoCallIntentResponse) -> Void)
    /// Checks an intent before it is handled.
    func confirm(
        intent: INStartVideoCallIntent,
        completion: @escaping (INStartVideoCallIntentResponse) -> Void)
    /// Chooses the people to call.
    func resolveContacts(
        for intent: INStartVideoCallIntent,
        with completion: @escaping ([INPersonResolutionResult]) -> Void)
}

/// What a handler without the method does.
extension INStartVideoCallIntentHandling {
    /// Answers `ready`.
    public func confirm(
        intent: INStartVideoCallIntent,
        completion: @escaping (INStartVideoCallIntentResponse) -> Void
    ) {
        completion(INStartVideoCallIntentResponse(code: .ready, userActivity: nil))
    }

    /// Accepts the people of the intent.
    public func resolveContacts(
        for intent: INStartVideoCallIntent,
        with completion: @escaping ([INPersonResolutionResult]) -> Void
    ) {
        completion((intent.contacts ?? []).map { .success(with: $0) })
    }
}
