/// A queue in which processes take turns: one with many elements delays only itself. The elements
/// of one process keep their order. Constant cost at both ends, whatever the length.
package struct FairQueue<Element> {
    private var elements: [Int32: FIFO<Element>] = [:]
    /// The processes with elements, each once, in the order of their turns.
    private var order = FIFO<Int32>()
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool {
        count == 0
    }

    /// Returns whether the queue has elements of a process.
    package func contains(elementsOf process: Int32) -> Bool {
        count > 0 && elements[process] != nil
    }

    package mutating func append(_ element: Element, of process: Int32) {
        count += 1
        if elements[process] == nil { order.append(process) }
        elements[process, default: FIFO()].append(element)
    }

    package mutating func popFirst() -> Element? {
        guard let process = order.popFirst() else { return nil }
        count -= 1
        let first = elements[process]?.popFirst()
        if elements[process]?.isEmpty == true {
            elements[process] = nil
        } else {
            order.append(process)
        }
        return first
    }
}
