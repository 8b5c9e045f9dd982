@_exported public import Foundation

/// A source of values over time. Unlike Combine's, a publisher is subscribed to with `sink` and
/// `assign` only, and sends every value to every subscriber: there are no custom subscribers, and
/// so there is no demand.
public protocol Publisher<Output, Failure> {
    /// The type of the values.
    associatedtype Output
    /// The type of the error that can end the values; `Never` if none can.
    associatedtype Failure: Error

    /// Sends values to a listener until the returned subscription is cancelled. `sink` and `assign`
    /// call it; Combine has `receive(subscriber:)` instead.
    func _tell(_ listener: _Listener<Output, Failure>) -> AnyCancellable
}

/// The receiver of values: the closures of a `sink`. It stands for Combine's subscribers.
public struct _Listener<Output, Failure: Error> {
    let value: (Output) -> Void
    let completion: (Subscribers.Completion<Failure>) -> Void
}

/// A namespace for the types of subscribers, as in Combine.
public enum Subscribers {
    /// The end of a publisher's values.
    public enum Completion<Failure: Error> {
        /// The publisher has no more values.
        case finished
        /// The publisher stopped because of an error.
        case failure(Failure)
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Sendable {}

/// An activity that can be cancelled.
public protocol Cancellable {
    /// Stops the activity. Calling it again has no effect.
    func cancel()
}

/// A subscription that is cancelled when it is deallocated, at the latest. It may be cancelled from
/// any thread.
public final class AnyCancellable: Cancellable, Hashable {
    private let lock = NSLock()
    private var work: (() -> Void)?

    /// Makes a subscription of the closure that cancels it. The closure is called once at most.
    public init(_ cancel: @escaping () -> Void) {
        work = cancel
    }

    /// Makes a subscription that cancels another one.
    public convenience init(_ canceller: some Cancellable) {
        self.init(canceller.cancel)
    }

    deinit {
        cancel()
    }

    /// Cancels the subscription. A second call has no effect.
    public func cancel() {
        let work = lock.withLock {
            defer { self.work = nil }
            return self.work
        }
        work?()
    }

    /// Adds the subscription to a set, which keeps it alive.
    public func store(in set: inout Set<AnyCancellable>) {
        set.insert(self)
    }

    /// Appends the subscription to a collection, which keeps it alive.
    public func store<Collection: RangeReplaceableCollection>(
        in collection: inout Collection
    ) where Collection.Element == AnyCancellable {
        collection.append(self)
    }

    /// Returns whether both are the same object.
    public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool {
        left === right
    }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension Publisher {
    /// Calls the closures with each value and with the end, on the thread that sends, until the
    /// returned subscription is cancelled or deallocated.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        _tell(_Listener(value: receiveValue, completion: receiveCompletion))
    }
}

extension Publisher where Failure == Never {
    /// Calls the closure with each value, on the thread that sends, until the returned subscription
    /// is cancelled or deallocated.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    /// Sets a property to each value, on the thread that sends, until the returned subscription is
    /// cancelled or deallocated. The subscription retains the object, as in Combine.
    public func assign<Root>(
        to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root
    ) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }

    /// Sets a published property to each value. The subscription lasts as long as the property's
    /// object.
    public func assign(to published: inout Published<Output>.Publisher) {
        published.box.retain(sink { [weak box = published.box] in box?.set($0) })
    }
}
