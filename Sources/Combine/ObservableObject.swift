/// An object that says when it is about to change: before each change of a `@Published` property, and
/// whenever it sends by itself.
public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    var objectWillChange: ObjectWillChangePublisher { get }
}

/// Says that an object is about to change.
public final class ObservableObjectPublisher: Publisher {
    public typealias Output = Void
    public typealias Failure = Never
    private let audience = Audience<Void, Never>()

    public init() {}

    public func send() {
        audience.tell(())
    }

    public func _tell(_ listener: _Listener<Void, Never>) -> AnyCancellable {
        audience.join(listener)
    }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// One for each object, from the first time that somebody asks.
    public var objectWillChange: ObservableObjectPublisher {
        let publisher = WillChangePublishers.shared.publisher(of: self)
        var mirror: Mirror? = Mirror(reflecting: self)
        while let level = mirror {
            for child in level.children {
                (child.value as? any PublishedProperty)?.announce(with: publisher)
            }
            mirror = level.superclassMirror
        }
        return publisher
    }
}

/// The publishers of the objects of this process, as long as these live.
private final class WillChangePublishers: @unchecked Sendable {
    static let shared = WillChangePublishers()

    private struct Entry {
        weak var object: AnyObject?
        let publisher: ObservableObjectPublisher
    }

    // The lock guards it.
    private let entries = Locked<[ObjectIdentifier: Entry]>([:])
    private let sweepAt = Locked(64)

    func publisher(of object: AnyObject) -> ObservableObjectPublisher {
        entries.change { entries in
            let id = ObjectIdentifier(object)
            if let entry = entries[id], entry.object === object { return entry.publisher }
            sweep(&entries)
            let entry = Entry(object: object, publisher: ObservableObjectPublisher())
            entries[id] = entry
            return entry.publisher
        }
    }

    /// Whenever there are twice as many as were left the last time.
    private func sweep(_ entries: inout [ObjectIdentifier: Entry]) {
        guard entries.count >= sweepAt.change({ $0 }) else { return }
        entries = entries.filter { $0.value.object != nil }
        sweepAt.change { $0 = max(64, entries.count * 2) }
    }
}

/// What a `@Published` property can do, whatever its type.
protocol PublishedProperty {
    func announce(with publisher: ObservableObjectPublisher)
}

/// A property of a class that tells each new value, before it has it; and the present one to whoever
/// comes.
@propertyWrapper public struct Published<Value>: PublishedProperty {
    let box: PublishedBox<Value>

    public init(wrappedValue: Value) {
        box = PublishedBox(wrappedValue)
    }

    public init(initialValue: Value) {
        self.init(wrappedValue: initialValue)
    }

    /// Tells the values of a property.
    public struct Publisher: Combine.Publisher {
        public typealias Output = Value
        public typealias Failure = Never
        let box: PublishedBox<Value>

        public func _tell(_ listener: _Listener<Value, Never>) -> AnyCancellable {
            box.audience.join(listener) { [box] in box.value }
        }
    }

    public var projectedValue: Publisher {
        get { Publisher(box: box) }
        set { _ = newValue }
    }

    @available(*, unavailable, message: "@Published is for properties of classes")
    public var wrappedValue: Value {
        get { preconditionFailure("@Published is for properties of classes.") }
        set { _ = newValue }
    }

    public static subscript<Object: AnyObject>(
        _enclosingInstance object: Object,
        wrapped wrapped: ReferenceWritableKeyPath<Object, Value>,
        storage storage: ReferenceWritableKeyPath<Object, Published<Value>>
    ) -> Value {
        get { object[keyPath: storage].box.value }
        set { object[keyPath: storage].box.set(newValue) }
    }

    func announce(with publisher: ObservableObjectPublisher) {
        box.announcer.change { $0 = publisher }
    }
}

/// What all copies of a published property share.
final class PublishedBox<Value>: @unchecked Sendable {
    let audience = Audience<Value, Never>()
    let announcer = Locked<ObservableObjectPublisher?>(nil)
    private let current: Locked<Value>
    private let kept = Locked<[AnyCancellable]>([])

    init(_ value: Value) {
        current = Locked(value)
    }

    var value: Value { current.change { $0 } }

    /// First it is said, then it is so.
    func set(_ value: Value) {
        announcer.change { $0 }?.send()
        audience.tell(value)
        current.change { $0 = value }
    }

    func keep(_ subscription: AnyCancellable) {
        kept.change { $0.append(subscription) }
    }
}
