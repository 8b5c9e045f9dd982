/// The input chooses what well-behaved clients do, and when: every byte string is a session, and what
/// the fuzzer changes is its course.
enum SessionInput {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        try SessionPlay(Choices(bytes)).run()
    }
}

/// Decisions, one byte each; after the last byte always the first possibility.
struct Choices {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isOver: Bool {
        rest.isEmpty
    }

    mutating func number(below bound: Int) -> Int {
        Int(rest.popFirst() ?? 0) % bound
    }

    mutating func pick<Element>(_ all: [Element]) -> Element {
        all[number(below: all.count)]
    }

    /// Rarely, one time in so many.
    mutating func once(in count: Int) -> Bool {
        number(below: count) == count - 1
    }
}
