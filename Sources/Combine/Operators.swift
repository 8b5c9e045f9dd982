/// A publisher of whatever kind.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let tell: (_Listener<Output, Failure>) -> AnyCancellable

    public init<Upstream: Publisher>(_ publisher: Upstream)
    where Upstream.Output == Output, Upstream.Failure == Failure {
        tell = publisher._tell
    }

    init(_ tell: @escaping (_Listener<Output, Failure>) -> AnyCancellable) {
        self.tell = tell
    }

    public func _tell(_ listener: _Listener<Output, Failure>) -> AnyCancellable {
        tell(listener)
    }
}

/// Tells one value, and has finished.
public struct Just<Output>: Publisher {
    public typealias Failure = Never
    public let output: Output

    public init(_ output: Output) {
        self.output = output
    }

    public func _tell(_ listener: _Listener<Output, Never>) -> AnyCancellable {
        listener.value(output)
        listener.completion(.finished)
        return AnyCancellable {}
    }
}

extension Publisher {
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
        AnyPublisher(self)
    }

    public func map<Result>(
        _ transform: @escaping (Output) -> Result
    ) -> AnyPublisher<Result, Failure> {
        compactMap(transform)
    }

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

    public func filter(
        _ isIncluded: @escaping (Output) -> Bool
    ) -> AnyPublisher<Output, Failure> {
        compactMap { isIncluded($0) ? $0 : nil }
    }

    /// Each subscriber misses so many values.
    public func dropFirst(_ count: Int = 1) -> AnyPublisher<Output, Failure> {
        AnyPublisher { listener in
            let left = Locked(count)
            return filter { _ in left.change { $0 > 0 ? ($0 -= 1, false).1 : true } }._tell(
                listener)
        }
    }

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

    /// Tells on a queue, in order. What is on its way when the subscription is cancelled is not told.
    public func receive<Context: Scheduler>(
        on scheduler: Context
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { listener in
            let isOver = Locked(false)
            let tell = { (work: @escaping () -> Void) in
                scheduler.schedule { if !isOver.change({ $0 }) { work() } }
            }
            let upstream = _tell(
                _Listener(
                    value: { value in tell { listener.value(value) } },
                    completion: { completion in tell { listener.completion(completion) } }))
            return AnyCancellable {
                isOver.change { $0 = true }
                upstream.cancel()
            }
        }
    }
}

extension Publisher where Output: Equatable {
    public func removeDuplicates() -> AnyPublisher<Output, Failure> {
        removeDuplicates(by: ==)
    }
}

/// Where values can be told.
public protocol Scheduler {
    func schedule(_ action: @escaping () -> Void)
}

extension DispatchQueue: Scheduler {
    public func schedule(_ action: @escaping () -> Void) {
        let handed = Locked(action)
        async { handed.change { $0 }() }
    }
}

extension RunLoop: Scheduler {
    public func schedule(_ action: @escaping () -> Void) {
        let handed = Locked(action)
        perform { handed.change { $0 }() }
    }
}

/// What several threads may change.
final class Locked<Value>: @unchecked Sendable {
    // The lock guards it.
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
