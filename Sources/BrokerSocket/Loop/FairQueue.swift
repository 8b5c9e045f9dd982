/// A queue in which processes take turns: one with many elements delays only itself. The elements
/// of one process keep their order. Constant cost at both ends, whatever the length.
///
/// Public and inlinable for the same reason as ``FIFO``.
public struct FairQueue<Element> {
    @usableFromInline var elements: [Int32: FIFO<Element>] = [:]
    /// The processes with elements, each once, in the order of their turns.
    @usableFromInline var order = FIFO<Int32>()
    @usableFromInline var length = 0

    /// Creates an empty queue.
    @inlinable
    public init() {}

    /// The number of elements of all processes.
    @inlinable
    public var count: Int {
        length
    }

    /// True if the queue has no elements.
    @inlinable
    public var isEmpty: Bool {
        length == 0
    }

    /// Returns whether the queue has elements of a process.
    @inlinable
    public func contains(elementsOf process: Int32) -> Bool {
        length > 0 && elements[process] != nil
    }

    /// Appends an element behind the others of its process.
    @inlinable
    public mutating func append(_ element: Element, of process: Int32) {
        length += 1
        let isFirst = Self.append(element, to: &elements[process, default: FIFO()])
        if isFirst { order.append(process) }
    }

    /// Removes and returns the first element of the process whose turn it is; nil if the queue is
    /// empty.
    @inlinable
    public mutating func popFirst() -> Element? {
        guard let process = order.popFirst() else { return nil }
        length -= 1
        let (first, isLast) = Self.popFirst(of: &elements[process, default: FIFO()])
        if isLast {
            elements[process] = nil
        } else {
            order.append(process)
        }
        return first
    }

    // Each takes the queue of a process, which is looked up once.

    @inlinable
    static func append(_ element: Element, to queue: inout FIFO<Element>) -> Bool {
        queue.append(element)
        return queue.count == 1
    }

    @inlinable
    static func popFirst(of queue: inout FIFO<Element>) -> (Element?, isLast: Bool) {
        (queue.popFirst(), isLast: queue.isEmpty)
    }
}
