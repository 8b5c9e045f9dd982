/// A queue in which processes take turns: whoever has put much into it delays only itself. What one process
/// has put in comes out in its order. Constant work at both ends, whatever waits.
package struct FairQueue<Element> {
    private var elements: [Int32: FIFO<Element>] = [:]
    /// Each process that has something here, once.
    private var order = FIFO<Int32>()
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool {
        count == 0
    }

    /// Whether anything of a process is here.
    package func holds(anythingOf process: Int32) -> Bool {
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
