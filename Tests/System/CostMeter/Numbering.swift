/// Ids that are new each time, and the same in each run.
struct Numbering {
    private var last = 0

    mutating func next() -> String {
        last += 1
        let digits = String(last, radix: 16)
        return "5a3c1b60-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
            + digits
    }
}
