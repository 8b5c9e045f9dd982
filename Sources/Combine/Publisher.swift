@_exported public import Foundation

/// Something that has values to tell, one after the other. Here a publisher is subscribed to with
/// `sink` and `assign` only, and every subscriber gets every value: there are no subscribers of one's
/// own, and so no demand.
public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error

    /// Tells values until what is returned is cancelled.
    func _tell(_ listener: _Listener<Output, Failure>) -> AnyCancellable
}

/// Who hears of values: what `sink` makes of its closures.
public struct _Listener<Output, Failure: Error> {
    let value: (Output) -> Void
    let completion: (Subscribers.Completion<Failure>) -> Void
}

/// What belongs to subscribers.
public enum Subscribers {
    /// How it came to an end.
    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Sendable {}

/// Something that can be called off.
public protocol Cancellable {
    func cancel()
}

/// Called off at the latest when nobody keeps it.
public final class AnyCancellable: Cancellable, Hashable {
    private let lock = NSLock()
    private var work: (() -> Void)?

    public init(_ cancel: @escaping () -> Void) {
        work = cancel
    }

    public convenience init(_ canceller: some Cancellable) {
        self.init(canceller.cancel)
    }

    deinit {
        cancel()
    }

    /// A second time nothing happens.
    public func cancel() {
        let work = lock.withLock {
            defer { self.work = nil }
            return self.work
        }
        work?()
    }

    public func store(in set: inout Set<AnyCancellable>) {
        set.insert(self)
    }

    public func store<Collection: RangeReplaceableCollection>(
        in collection: inout Collection
    ) where Collection.Element == AnyCancellable {
        collection.append(self)
    }

    public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool {
        left === right
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension Publisher {
    /// Hears of values and of the end, as long as what is returned is kept.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        _tell(_Listener(value: receiveValue, completion: receiveCompletion))
    }
}

extension Publisher where Failure == Never {
    /// Hears of values, as long as what is returned is kept.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    /// Sets a property to each value; keeps the object, as on other platforms.
    public func assign<Root>(
        to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root
    ) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }

    /// Sets a published property to each value, as long as that property lives.
    public func assign(to published: inout Published<Output>.Publisher) {
        published.box.keep(sink { [weak box = published.box] in box?.set($0) })
    }
}
