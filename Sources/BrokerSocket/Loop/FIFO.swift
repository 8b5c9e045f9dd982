/// A queue with constant cost at both ends, whatever its length.
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
        defer { removeHead() }
        return elements[head]
    }

    /// Removes the first element. The room in front is released once it is half of the total.
    private mutating func removeHead() {
        elements[head] = nil
        head += 1
        guard head * 2 >= elements.count else { return }
        elements.removeFirst(head)
        head = 0
    }
}
