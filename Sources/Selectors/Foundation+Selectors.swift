internal import Synchronization

/// An observer of notifications that named a method.
private struct Observation: @unchecked Sendable {
    weak var observer: AnyObject?
    let name: Notification.Name?
    weak var object: AnyObject?
    let hasObject: Bool
    let token: any NSObjectProtocol

    func matches(_ other: AnyObject, _ otherName: Notification.Name?, _ otherObject: AnyObject?)
        -> Bool
    {
        observer === other && (otherName == nil || name == otherName)
            && (otherObject == nil || object === otherObject)
    }
}

private let observations = Mutex<[Observation]>([])

extension NotificationCenter {
    /// Calls a method of an object, which is not retained, with each notification. A name or an
    /// object that is nil stands for all.
    public func addObserver(
        _ observer: AnyObject, selector aSelector: Selector, name aName: NSNotification.Name?,
        object anObject: Any?
    ) {
        let reference = WeakReference(observer)
        let token = addObserver(forName: aName, object: anObject, queue: nil) { notification in
            guard let observer = reference.object else { return }
            _ = aSelector(observer, notification)
        }
        let entry = Observation(
            observer: observer, name: aName, object: anObject as AnyObject?,
            hasObject: anObject != nil, token: token)
        observations.withLock { $0.append(entry) }
        removeDead()
    }

    /// Ends all observations of an object; also one that `addObserver(forName:…)` has returned.
    public func removeObserver(_ observer: AnyObject) {
        removeObserver(observer, name: nil, object: nil)
    }

    /// Ends the observations of an object for a name and an object; nil stands for all.
    public func removeObserver(
        _ observer: AnyObject, name aName: NSNotification.Name?, object anObject: Any?
    ) {
        let object = anObject as AnyObject?
        let ended = observations.withLock { all in
            defer { all.removeAll { $0.matches(observer, aName, object) } }
            return all.filter { $0.matches(observer, aName, object) }
        }
        for entry in ended { removeObserver(entry.token as Any, name: nil, object: nil) }
        removeObserver(observer as Any, name: aName, object: anObject)
    }

    /// Removes the observations of objects that are gone.
    private func removeDead() {
        let dead = observations.withLock { all in
            defer { all.removeAll { $0.observer == nil } }
            return all.filter { $0.observer == nil }
        }
        for entry in dead { removeObserver(entry.token as Any, name: nil, object: nil) }
    }
}

/// A weak reference that another thread may read.
private final class WeakReference: @unchecked Sendable {
    // Set once; the runtime makes weak references safe to read.
    private(set) weak var object: AnyObject?

    init(_ object: AnyObject) {
        self.object = object
    }
}

extension Timer {
    /// Makes a timer that calls a method of an object, which it retains, and adds it to the current
    /// run loop; that one must be running.
    @discardableResult
    public class func scheduledTimer(
        timeInterval interval: TimeInterval, target: Any, selector aSelector: Selector,
        userInfo: Any?, repeats: Bool
    ) -> Timer {
        let timer = Timer(
            timeInterval: interval, target: target, selector: aSelector, userInfo: userInfo,
            repeats: repeats)
        RunLoop.current.add(timer, forMode: .default)
        return timer
    }

    /// Makes a timer that calls a method of an object, which it retains.
    ///
    /// - Parameter userInfo: ignored: Foundation's timer on Linux stores none.
    public convenience init(
        timeInterval interval: TimeInterval, target: Any, selector aSelector: Selector,
        userInfo: Any?, repeats: Bool
    ) {
        nonisolated(unsafe) let object = target as AnyObject
        self.init(timeInterval: interval, repeats: repeats) { timer in
            _ = aSelector(object, timer)
        }
    }
}

extension NSObjectProtocol {
    /// Calls a method of the object, at once, and returns its result, if that is an object.
    @discardableResult
    public func perform(_ aSelector: Selector, with object: Any? = nil) -> AnyObject? {
        aSelector(self, object) as AnyObject?
    }

    /// Calls a method of the object on the main queue after a time in seconds. It cannot be
    /// cancelled.
    public func perform(
        _ aSelector: Selector, with anArgument: Any?, afterDelay delay: TimeInterval
    ) {
        nonisolated(unsafe) let (object, argument) = (self, anArgument)
        DispatchQueue.main.asyncAfter(deadline: .now() + delay) {
            _ = aSelector(object, argument)
        }
    }
}

/// Runs the closure. There are no autorelease pools on Linux, and nothing that would need one.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}
