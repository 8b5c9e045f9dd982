internal import CCallgrind

/// Counts the instructions of what it is given. The log of callgrind has them afterwards, by the words
/// of the mark before and the mark behind.
struct Meter {
    /// The quantity of which there are many, and how many.
    let crowd: String
    let count: Int

    /// - Parameter units: of how many things these are the instructions.
    func measure(_ what: String, units: Int = 1, _ act: () -> Void) {
        callgrind_mark("\(crowd) \(count) \(units) \(what)")
        act()
        callgrind_mark("end")
    }
}
