/// A publisher whose kind is hidden. All operators but `combineLatest` return one.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let subscribe: (_Listener<Output, Failure>) -> AnyCancellable

    /// Hides the kind of a publisher.
    public init<Upstream: Publisher>(_ publisher: Upstream)
    where Upstream.Output == Output, Upstream.Failure == Failure {
        subscribe = publisher._tell
    }

    init(_ subscribe: @escaping (_Listener<Output, Failure>) -> AnyCancellable) {
        self.subscribe = subscribe
    }

    /// Subscribes to the hidden publisher. `sink` and `assign` call it.
    public func _tell(_ listener: _Listener<Output, Failure>) -> AnyCancellable {
        subscribe(listener)
    }
}

/// A publisher that sends one value to each subscriber and finishes, within the subscription.
public struct Just<Output>: Publisher {
    /// One value does not fail.
    public typealias Failure = Never
    /// The value that every subscriber receives.
    public let output: Output

    /// Makes a publisher of one value.
    public init(_ output: Output) {
        self.output = output
    }

    /// Sends the value and the end to a new subscriber. `sink` and `assign` call it.
    public func _tell(_ listener: _Listener<Output, Never>) -> AnyCancellable {
        listener.value(output)
        listener.completion(.finished)
        return AnyCancellable {}
    }
}

extension Publisher {
    /// Returns this publisher with its kind hidden.
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
        AnyPublisher(self)
    }

    /// Returns a publisher of the transformed values. The closure runs on the thread that sends.
    public func map<Result>(
        _ transform: @escaping (Output) -> Result
    ) -> AnyPublisher<Result, Failure> {
        compactMap(transform)
    }

    /// Returns a publisher of the transformed values that are not nil. The closure runs on the
    /// thread that sends.
    public func compactMap<Result>(
        _ transform: @escaping (Output) -> Result?
    ) -> AnyPublisher<Result, Failure> {
        AnyPublisher { listener in
            _tell(
                _Listener(
                    value: { if let result = transform($0) { listener.value(result) } },
                    completion: listener.completion))
        }
    }

    /// Returns a publisher of the values for which the closure is true. It runs on the thread that
    /// sends.
    public func filter(
        _ isIncluded: @escaping (Output) -> Bool
    ) -> AnyPublisher<Output, Failure> {
        compactMap { isIncluded($0) ? $0 : nil }
    }

    /// Returns a publisher that withholds the first `count` values from each subscriber.
    public func dropFirst(_ count: Int = 1) -> AnyPublisher<Output, Failure> {
        AnyPublisher { listener in
            let left = Locked(count)
            return filter { _ in left.change { $0 > 0 ? ($0 -= 1, false).1 : true } }._tell(
                listener)
        }
    }

    /// Returns a publisher that withholds a value equal, by `predicate`, to the one before it. Each
    /// subscriber has a history of its own.
    public func removeDuplicates(
        by predicate: @escaping (Output, Output) -> Bool
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { listener in
            let last = Locked<Output?>(nil)
            return filter { output in
                last.change { last in
                    defer { last = output }
                    return last.map { !predicate($0, output) } ?? true
                }
            }._tell(listener)
        }
    }

    /// Returns a publisher that sends values and the end on a queue or run loop, in order. Values
    /// still on their way when the subscription is cancelled are not delivered.
    public func receive<Context: Scheduler>(
        on scheduler: Context
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { listener in
            let isOver = Locked(false)
            let schedule = { (work: @escaping () -> Void) in
                scheduler.schedule { if !isOver.change({ $0 }) { work() } }
            }
            let upstream = _tell(
                _Listener(
                    value: { value in schedule { listener.value(value) } },
                    completion: { completion in schedule { listener.completion(completion) } }))
            return AnyCancellable {
                isOver.change { $0 = true }
                upstream.cancel()
            }
        }
    }
}

extension Publisher where Output: Equatable {
    /// Returns a publisher that withholds a value equal to the one before it.
    public func removeDuplicates() -> AnyPublisher<Output, Failure> {
        removeDuplicates(by: ==)
    }
}

/// A place on which `receive(on:)` can deliver values: a dispatch queue or a run loop. Combine's
/// schedulers also have clocks and options; these run work as soon as they can.
public protocol Scheduler {
    /// Runs an action later, after the actions scheduled before it.
    func schedule(_ action: @escaping () -> Void)
    /// Runs an action after a time in seconds; `debounce` and `throttle` call it.
    func _schedule(after seconds: Double, _ action: @escaping () -> Void)
}

extension DispatchQueue: Scheduler {
    /// Runs an action asynchronously on the queue. The queue should be serial: on a concurrent one
    /// values can overtake each other.
    public func schedule(_ action: @escaping () -> Void) {
        let transferred = Locked(action)
        async { transferred.change { $0 }() }
    }

    /// Runs an action on the queue after a time in seconds.
    public func _schedule(after seconds: Double, _ action: @escaping () -> Void) {
        let transferred = Locked(action)
        asyncAfter(deadline: .now() + seconds) { transferred.change { $0 }() }
    }
}

extension RunLoop: Scheduler {
    /// Runs an action in the next pass of the run loop, which must be running.
    public func schedule(_ action: @escaping () -> Void) {
        let transferred = Locked(action)
        perform { transferred.change { $0 }() }
    }

    /// Runs an action in the run loop after a time in seconds.
    public func _schedule(after seconds: Double, _ action: @escaping () -> Void) {
        let transferred = Locked(action)
        add(
            Timer(timeInterval: seconds, repeats: false) { _ in transferred.change { $0 }() },
            forMode: .common)
    }
}

/// A value that several threads may change, behind a recursive lock.
final class Locked<Value>: @unchecked Sendable {
    // The lock guards the value.
    private var value: Value
    private let lock = NSRecursiveLock()

    init(_ value: Value) {
        self.value = value
    }

    @discardableResult
    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.withLock { body(&value) }
    }
}
