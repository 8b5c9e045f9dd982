/// A publisher whose values its owner sends.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Sends a value to all subscribers, on the calling thread, before it returns.
    func send(_ value: Output)
    /// Ends the subject: subscribers receive the completion and no values after it, later
    /// subscribers the completion only.
    func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
    /// Sends to all subscribers of a subject without content.
    public func send() {
        send(())
    }
}

/// The subscribers of a subject or property, in the order of their subscriptions.
final class ListenerList<Output, Failure: Error>: @unchecked Sendable {
    private struct State {
        var listeners: [(id: Int, listener: _Listener<Output, Failure>)] = []
        var lastID = 0
        var end: Subscribers.Completion<Failure>?
    }

    private let state = Locked(State())

    /// Adds a listener; after the end it receives the completion instead.
    ///
    /// - Parameter current: returns a value to send to the new listener first, if any.
    func add(
        _ listener: _Listener<Output, Failure>, current: () -> Output? = { nil }
    ) -> AnyCancellable {
        let (id, end) = state.change { state in
            state.lastID += 1
            if state.end == nil { state.listeners.append((state.lastID, listener)) }
            return (state.lastID, state.end)
        }
        if let end {
            listener.completion(end)
            return AnyCancellable {}
        }
        if let value = current() { listener.value(value) }
        return AnyCancellable { [state] in
            state.change { $0.listeners.removeAll { $0.id == id } }
        }
    }

    func send(_ value: Output) {
        for entry in state.change({ $0.listeners }) { entry.listener.value(value) }
    }

    /// Sends the completion, once.
    func end(_ completion: Subscribers.Completion<Failure>) {
        let listeners = state.change { state in
            defer { (state.listeners, state.end) = ([], state.end ?? completion) }
            return state.listeners
        }
        for entry in listeners { entry.listener.completion(completion) }
    }
}

/// A subject that sends each value to its present subscribers and keeps none.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private let listeners = ListenerList<Output, Failure>()

    /// Makes a subject without subscribers.
    public init() {}

    /// Sends a value to all subscribers, on the calling thread, before it returns.
    public func send(_ value: Output) {
        listeners.send(value)
    }

    /// Ends the subject. Only the first completion counts.
    public func send(completion: Subscribers.Completion<Failure>) {
        listeners.end(completion)
    }

    /// Subscribes to values sent from this point on. `sink` and `assign` call it.
    public func _tell(_ listener: _Listener<Output, Failure>) -> AnyCancellable {
        listeners.add(listener)
    }
}

/// A subject that keeps the last value, and sends it to each new subscriber first.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private let listeners = ListenerList<Output, Failure>()
    private let current: Locked<Output>

    /// Makes a subject with a first value.
    public init(_ value: Output) {
        current = Locked(value)
    }

    /// The last value. Setting it sends the new value, as `send` does.
    public var value: Output {
        get { current.change { $0 } }
        set { send(newValue) }
    }

    /// Stores a value, then sends it to all subscribers, on the calling thread, before it returns.
    public func send(_ value: Output) {
        current.change { $0 = value }
        listeners.send(value)
    }

    /// Ends the subject. Only the first completion counts.
    public func send(completion: Subscribers.Completion<Failure>) {
        listeners.end(completion)
    }

    /// Subscribes to the current value and those sent later. `sink` and `assign` call it.
    public func _tell(_ listener: _Listener<Output, Failure>) -> AnyCancellable {
        listeners.add(listener) { value }
    }
}
