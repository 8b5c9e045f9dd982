import Selectors
import Testing

/// Methods by name, as `AppSources` writes them.
struct SelectorTests {
    @Test func `an object is called with what the method takes`() {
        let listener = Listener()
        listener.perform(Selector("go", Listener.go))
        listener.perform(Selector("text(_:)", Listener.text(_:)), with: "a")
        _ = Selector("both", Listener.both)(listener, "b", 2)
        #expect(listener.log == ["go", "a", "b 2"])
    }

    @Test func `another object or argument is not called`() {
        let listener = Listener()
        listener.perform(Selector("text(_:)", Listener.text(_:)), with: 7)
        #expect(Selector("go", Listener.go)(NSObject()) == nil)
        #expect(listener.log.isEmpty)
    }

    @Test func `notifications come until the observer is removed or gone`() {
        let (center, name) = (NotificationCenter(), Notification.Name("test"))
        let listener = Listener()
        center.addObserver(
            listener, selector: Selector("old", Listener.old(_:)), name: name, object: nil)
        var other: Listener? = Listener()
        weak let gone = other
        if let other {
            center.addObserver(
                other, selector: Selector("old", Listener.old(_:)), name: name, object: nil)
        }
        other = nil
        #expect(gone == nil)
        center.post(name: name, object: nil)
        center.removeObserver(listener)
        center.post(name: name, object: nil)
        #expect(listener.log == ["old test"])
    }

    @Test func `an observer is removed for one name alone`() {
        let center = NotificationCenter()
        let (first, second) = (Notification.Name("first"), Notification.Name("second"))
        let listener = Listener()
        for name in [first, second] {
            center.addObserver(
                listener, selector: Selector("old", Listener.old(_:)), name: name, object: nil)
        }
        center.removeObserver(listener, name: first, object: nil)
        for name in [first, second] { center.post(name: name, object: nil) }
        #expect(listener.log == ["old second"])
    }

    @Test func `a token of Foundation's is still removed`() {
        let (center, name) = (NotificationCenter(), Notification.Name("test"))
        let listener = Listener()
        nonisolated(unsafe) let unsafe = listener
        let token = center.addObserver(forName: name, object: nil, queue: nil) { _ in unsafe.go() }
        center.removeObserver(token)
        center.post(name: name, object: nil)
        #expect(listener.log.isEmpty)
    }
}

private final class Listener: NSObject {
    private(set) var log: [String] = []

    func go() { log.append("go") }
    func text(_ text: String) { log.append(text) }
    func both(_ text: String, _ number: Int) { log.append("\(text) \(number)") }
    func old(_ notification: NSNotification) { log.append("old \(notification.name.rawValue)") }
}
