/// An object that announces its changes: before each change of a `@Published` property, and
/// whenever it calls `objectWillChange.send()`.
public protocol ObservableObject: AnyObject {
    /// The type of the publisher that announces changes; `ObservableObjectPublisher` unless the
    /// object declares its own `objectWillChange`.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    /// The publisher that sends before the object changes.
    var objectWillChange: ObjectWillChangePublisher { get }
}

/// A publisher that sends when an object is about to change.
public final class ObservableObjectPublisher: Publisher {
    /// An announcement has no content.
    public typealias Output = Void
    /// Announcements do not fail.
    public typealias Failure = Never
    private let listeners = ListenerList<Void, Never>()

    /// Makes a publisher without subscribers, for an object that declares its own
    /// `objectWillChange`.
    public init() {}

    /// Announces a change to all subscribers, on the calling thread, before it returns.
    public func send() {
        listeners.send(())
    }

    /// Subscribes to announcements. `sink` and `assign` call it.
    public func _tell(_ listener: _Listener<Void, Never>) -> AnyCancellable {
        listeners.add(listener)
    }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// The publisher of this object: the same one each time. `@Published` properties announce with
    /// it from its first use, which finds them by reflection, those of superclasses included.
    public var objectWillChange: ObservableObjectPublisher {
        let publisher = WillChangePublishers.shared.publisher(of: self)
        var mirror: Mirror? = Mirror(reflecting: self)
        while let level = mirror {
            for child in level.children {
                (child.value as? any PublishedProperty)?.setAnnouncer(publisher)
            }
            mirror = level.superclassMirror
        }
        return publisher
    }
}

/// The announcing publishers of this process by object. Entries of deallocated objects are swept.
private final class WillChangePublishers: @unchecked Sendable {
    static let shared = WillChangePublishers()

    private struct Entry {
        weak var object: AnyObject?
        let publisher: ObservableObjectPublisher
    }

    // A lock guards each.
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

    /// Drops dead entries whenever there are twice as many as were left by the last sweep.
    private func sweep(_ entries: inout [ObjectIdentifier: Entry]) {
        guard entries.count >= sweepAt.change({ $0 }) else { return }
        entries = entries.filter { $0.value.object != nil }
        sweepAt.change { $0 = max(64, entries.count * 2) }
    }
}

/// A `@Published` property of any value type.
protocol PublishedProperty {
    /// Makes the property announce its changes with a publisher.
    func setAnnouncer(_ publisher: ObservableObjectPublisher)
}

/// A property of a class that publishes its values. A subscriber receives the current value at
/// once, and each new one just before the property has it, on the thread that sets it.
@propertyWrapper public struct Published<Value>: PublishedProperty {
    let box: PublishedBox<Value>

    /// Makes a property with a first value: `@Published var name = value`.
    public init(wrappedValue: Value) {
        box = PublishedBox(wrappedValue)
    }

    /// Makes a property with a first value: `@Published(initialValue: value) var name`.
    public init(initialValue: Value) {
        self.init(wrappedValue: initialValue)
    }

    /// A publisher of the values of a property, the current one first. It does not finish.
    public struct Publisher: Combine.Publisher {
        /// The type of the property.
        public typealias Output = Value
        /// A property does not fail.
        public typealias Failure = Never
        let box: PublishedBox<Value>

        /// Subscribes to the property. `sink` and `assign` call it.
        public func _tell(_ listener: _Listener<Value, Never>) -> AnyCancellable {
            box.listeners.add(listener) { [box] in box.value }
        }
    }

    /// The publisher of the property: `$name`. It can be set only so that `assign(to:
    /// &object.$name)` compiles; a value that is set is ignored.
    public var projectedValue: Publisher {
        get { Publisher(box: box) }
        set { _ = newValue }
    }

    /// Unavailable: only properties of classes can be published, and those use the subscript.
    @available(*, unavailable, message: "@Published is for properties of classes")
    public var wrappedValue: Value {
        get { preconditionFailure("@Published is for properties of classes.") }
        set { _ = newValue }
    }

    /// Reads or sets the property of an object. The compiler calls it in place of `wrappedValue`.
    public static subscript<Object: AnyObject>(
        _enclosingInstance object: Object,
        wrapped wrapped: ReferenceWritableKeyPath<Object, Value>,
        storage storage: ReferenceWritableKeyPath<Object, Published<Value>>
    ) -> Value {
        get { object[keyPath: storage].box.value }
        set { object[keyPath: storage].box.set(newValue) }
    }

    func setAnnouncer(_ publisher: ObservableObjectPublisher) {
        box.announcer.change { $0 = publisher }
    }
}

/// The state that all copies of a `Published` share.
final class PublishedBox<Value>: @unchecked Sendable {
    let listeners = ListenerList<Value, Never>()
    let announcer = Locked<ObservableObjectPublisher?>(nil)
    private let current: Locked<Value>
    private let subscriptions = Locked<[AnyCancellable]>([])

    init(_ value: Value) {
        current = Locked(value)
    }

    var value: Value { current.change { $0 } }

    /// Announces the change, sends the value, and only then stores it, as Combine does.
    func set(_ value: Value) {
        announcer.change { $0 }?.send()
        listeners.send(value)
        current.change { $0 = value }
    }

    /// Retains a subscription that sets this property, for as long as the property lives.
    func retain(_ subscription: AnyCancellable) {
        subscriptions.change { $0.append(subscription) }
    }
}
