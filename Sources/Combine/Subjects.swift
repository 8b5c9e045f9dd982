/// A publisher that is told what to tell.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    func send(_ value: Output)
    func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
    public func send() {
        send(())
    }
}

/// Who hears of a subject, in the order of their coming.
final class Audience<Output, Failure: Error>: @unchecked Sendable {
    private struct State {
        var listeners: [(id: Int, listener: _Listener<Output, Failure>)] = []
        var lastID = 0
        var end: Subscribers.Completion<Failure>?
    }

    private let state = Locked(State())

    /// - Parameter now: is told first, if it has not ended.
    func join(
        _ listener: _Listener<Output, Failure>, now: () -> Output? = { nil }
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
        if let value = now() { listener.value(value) }
        return AnyCancellable { [state] in
            state.change { $0.listeners.removeAll { $0.id == id } }
        }
    }

    func tell(_ value: Output) {
        for entry in state.change({ $0.listeners }) { entry.listener.value(value) }
    }

    func end(_ completion: Subscribers.Completion<Failure>) {
        let listeners = state.change { state in
            defer { (state.listeners, state.end) = ([], state.end ?? completion) }
            return state.listeners
        }
        for entry in listeners { entry.listener.completion(completion) }
    }
}

/// Tells what it is told to whoever listens just then.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private let audience = Audience<Output, Failure>()

    public init() {}

    public func send(_ value: Output) {
        audience.tell(value)
    }

    public func send(completion: Subscribers.Completion<Failure>) {
        audience.end(completion)
    }

    public func _tell(_ listener: _Listener<Output, Failure>) -> AnyCancellable {
        audience.join(listener)
    }
}

/// Remembers the last value, and tells it to whoever comes.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private let audience = Audience<Output, Failure>()
    private let current: Locked<Output>

    public init(_ value: Output) {
        current = Locked(value)
    }

    public var value: Output {
        get { current.change { $0 } }
        set { send(newValue) }
    }

    public func send(_ value: Output) {
        current.change { $0 = value }
        audience.tell(value)
    }

    public func send(completion: Subscribers.Completion<Failure>) {
        audience.end(completion)
    }

    public func _tell(_ listener: _Listener<Output, Failure>) -> AnyCancellable {
        audience.join(listener) { value }
    }
}
