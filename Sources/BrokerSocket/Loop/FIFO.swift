/// A queue with constant cost at both ends, whatever its length.
///
/// Public and inlinable, as other modules would look up the type of its elements at run time, at
/// every access.
public struct FIFO<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0

    /// Creates an empty queue.
    @inlinable
    public init() {}

    /// True if the queue has no elements.
    @inlinable
    public var isEmpty: Bool {
        head == elements.count
    }

    /// The number of elements.
    @inlinable
    public var count: Int {
        elements.count - head
    }

    /// The element that was appended first; nil if the queue is empty.
    @inlinable
    public var first: Element? {
        isEmpty ? nil : elements[head]
    }

    /// Appends an element at the end.
    @inlinable
    public mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Removes and returns the first element; nil if the queue is empty.
    @inlinable
    public mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let first = elements[head].take()
        removeHead()
        return first
    }

    /// Removes the place of the first element, which was taken. The room in front is released once
    /// it is half of the total.
    @inlinable
    mutating func removeHead() {
        head += 1
        guard head * 2 >= elements.count else { return }
        elements.removeFirst(head)
        head = 0
    }
}
