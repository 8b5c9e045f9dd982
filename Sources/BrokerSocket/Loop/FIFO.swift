/// A queue: constant work at both ends, whatever waits in it.
package struct FIFO<Element> {
    private var elements: [Element?] = []
    private var head = 0

    package init() {}

    package var isEmpty: Bool {
        head == elements.count
    }

    package var count: Int {
        elements.count - head
    }

    package var first: Element? {
        isEmpty ? nil : elements[head]
    }

    package mutating func append(_ element: Element) {
        elements.append(element)
    }

    package mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        defer { forgetHead() }
        return elements[head]
    }

    /// The room in front is given back when it is half of all.
    private mutating func forgetHead() {
        elements[head] = nil
        head += 1
        guard head * 2 >= elements.count else { return }
        elements.removeFirst(head)
        head = 0
    }
}
