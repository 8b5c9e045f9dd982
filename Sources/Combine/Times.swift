/// A time between values.
public struct SchedulerInterval: Hashable, Sendable, ExpressibleByFloatLiteral,
    ExpressibleByIntegerLiteral
{
    /// The time in seconds.
    let seconds: Double

    private init(_ seconds: Double) {
        self.seconds = seconds
    }

    /// Makes a time of seconds.
    public init(floatLiteral value: Double) {
        self.init(value)
    }

    /// Makes a time of seconds.
    public init(integerLiteral value: Int) {
        self.init(Double(value))
    }

    /// A time in seconds.
    public static func seconds(_ count: Double) -> SchedulerInterval { SchedulerInterval(count) }
    /// A time in seconds.
    public static func seconds(_ count: Int) -> SchedulerInterval {
        SchedulerInterval(Double(count))
    }
    /// A time in milliseconds.
    public static func milliseconds(_ count: Int) -> SchedulerInterval {
        SchedulerInterval(Double(count) / 1_000)
    }
}

/// Operators with a clock.
extension Publisher {
    /// Returns a publisher that sends a value, on a queue or run loop, when no other one has come
    /// for a time; the end at once.
    public func debounce<Context: Scheduler>(
        for dueTime: SchedulerInterval, scheduler: Context
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { listener in
            let turn = Locked(0)
            let upstream = _tell(
                _Listener(
                    value: { value in
                        let own = turn.change { turn in
                            turn += 1
                            return turn
                        }
                        scheduler._schedule(after: dueTime.seconds) {
                            if turn.change({ $0 == own }) { listener.value(value) }
                        }
                    }, completion: listener.completion))
            return AnyCancellable {
                turn.change { $0 = -1 }
                upstream.cancel()
            }
        }
    }

    /// Returns a publisher that sends the first value at once, and after it one in each stretch of
    /// time in which values came: the first or the latest of them.
    public func throttle<Context: Scheduler>(
        for interval: SchedulerInterval, scheduler: Context, latest: Bool
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { listener in
            let throttle = Throttle<Output>(latest: latest) { listener.value($0) }
            let upstream = _tell(
                _Listener(
                    value: { value in
                        throttle.receive(value) { work in
                            scheduler._schedule(after: interval.seconds, work)
                        }
                    }, completion: listener.completion))
            return AnyCancellable {
                throttle.stop()
                upstream.cancel()
            }
        }
    }

    /// Returns a publisher that sends each value, and the end, on a queue or run loop after a time.
    public func delay<Context: Scheduler>(
        for interval: SchedulerInterval, scheduler: Context
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { listener in
            let isOver = Locked(false)
            let later = { (work: @escaping () -> Void) in
                scheduler._schedule(after: interval.seconds) {
                    if !isOver.change({ $0 }) { work() }
                }
            }
            let upstream = _tell(
                _Listener(
                    value: { value in later { listener.value(value) } },
                    completion: { completion in later { listener.completion(completion) } }))
            return AnyCancellable {
                isOver.change { $0 = true }
                upstream.cancel()
            }
        }
    }
}

/// The state of a `throttle`: a stretch of time is under way, and a value may wait for its end.
private final class Throttle<Value>: @unchecked Sendable {
    private struct State {
        var isWaiting = false
        var isOver = false
        var next: Value?
    }

    private let state = Locked(State())
    private let latest: Bool
    private let send: (Value) -> Void

    init(latest: Bool, send: @escaping (Value) -> Void) {
        self.latest = latest
        self.send = send
    }

    func receive(_ value: Value, later: @escaping (@escaping () -> Void) -> Void) {
        let isFirst = state.change { state in
            guard state.isWaiting else {
                state.isWaiting = true
                return true
            }
            if latest || state.next == nil { state.next = value }
            return false
        }
        guard isFirst else { return }
        send(value)
        later { self.end(later) }
    }

    /// Ends a stretch: sends what waited for it, and begins another one, or waits for a value.
    private func end(_ later: @escaping (@escaping () -> Void) -> Void) {
        let next = state.change { state -> Value? in
            defer { state.next = nil }
            state.isWaiting = state.next != nil
            return state.isOver ? nil : state.next
        }
        guard let next else { return }
        send(next)
        later { self.end(later) }
    }

    func stop() {
        state.change { $0.isOver = true }
    }
}
