extension NotificationCenter {
    /// A publisher of the notifications of a name. It does not finish.
    public struct Publisher: Combine.Publisher {
        /// Each value is a notification.
        public typealias Output = Notification
        /// Notifications do not fail.
        public typealias Failure = Never

        /// The center that posts the notifications.
        public let center: NotificationCenter
        /// The name of the notifications.
        public let name: Notification.Name
        /// The object whose notifications are sent; nil for all.
        public let object: AnyObject?

        /// Makes a publisher of the notifications of a name.
        public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
            (self.center, self.name, self.object) = (center, name, object)
        }

        /// Subscribes to notifications, on the thread that posts. `sink` and `assign` call it.
        public func _tell(_ listener: _Listener<Notification, Never>) -> AnyCancellable {
            let transferred = Locked(listener)
            let token = Locked(
                center.addObserver(forName: name, object: object, queue: nil) { notification in
                    transferred.change { $0 }.value(notification)
                })
            return AnyCancellable { [center] in center.removeObserver(token.change { $0 }) }
        }
    }

    /// Returns a publisher of the notifications of a name, sent on the thread that posts.
    ///
    /// - Parameter object: the object whose notifications are sent; nil for all.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
        Publisher(center: self, name: name, object: object)
    }
}

extension Timer {
    /// A publisher of the time, from when it is connected.
    public final class TimerPublisher: ConnectablePublisher {
        /// Each value is the present date.
        public typealias Output = Date
        /// A timer does not fail.
        public typealias Failure = Never

        /// The time between values, in seconds.
        public let interval: TimeInterval
        private let runLoop: RunLoop
        private let mode: RunLoop.Mode
        private let listeners = ListenerList<Date, Never>()

        init(_ interval: TimeInterval, _ runLoop: RunLoop, _ mode: RunLoop.Mode) {
            (self.interval, self.runLoop, self.mode) = (interval, runLoop, mode)
        }

        /// Subscribes to the time. `sink` and `assign` call it.
        public func _tell(_ listener: _Listener<Date, Never>) -> AnyCancellable {
            listeners.add(listener)
        }

        /// Starts the timer, which runs until the result is cancelled.
        public func connect() -> any Cancellable {
            let transferred = Locked(listeners)
            let timer = Timer(timeInterval: interval, repeats: true) { timer in
                transferred.change { $0 }.send(timer.fireDate)
            }
            runLoop.add(timer, forMode: mode)
            let held = Locked(timer)
            return AnyCancellable { held.change { $0 }.invalidate() }
        }
    }

    /// Returns a publisher of the time, which must be connected: `autoconnect()` does.
    ///
    /// - Parameters:
    ///   - interval: in seconds.
    ///   - tolerance: ignored.
    ///   - runLoop: must be running; under `dispatchMain()` the main one is not.
    ///   - mode: the mode of the run loop.
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop,
        in mode: RunLoop.Mode
    ) -> TimerPublisher {
        TimerPublisher(interval, runLoop, mode)
    }
}

/// A publisher that sends nothing until it is connected.
public protocol ConnectablePublisher: Publisher {
    /// Starts sending, until the result is cancelled.
    func connect() -> any Cancellable
}

extension ConnectablePublisher {
    /// Returns a publisher that is connected with its first subscription, and until the last one is
    /// cancelled.
    public func autoconnect() -> AnyPublisher<Output, Failure> {
        let shared = Locked((count: 0, connection: (any Cancellable)?.none))
        return AnyPublisher { listener in
            let subscription = _tell(listener)
            shared.change { shared in
                shared.count += 1
                if shared.count == 1 { shared.connection = connect() }
            }
            return AnyCancellable {
                subscription.cancel()
                let last = shared.change { shared -> (any Cancellable)? in
                    shared.count -= 1
                    guard shared.count == 0 else { return nil }
                    defer { shared.connection = nil }
                    return shared.connection
                }
                last?.cancel()
            }
        }
    }
}
