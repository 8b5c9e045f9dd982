/// The latest values, up to a number of them: one more takes the place of the oldest.
struct Ring<Value> {
    private let countMax: Int
    private var values: [Value] = []
    /// The index of the oldest value, once the ring is full.
    private var oldest = 0

    init(countMax: Int) {
        self.countMax = countMax
    }

    mutating func append(_ value: Value) {
        guard values.count == countMax else { return values.append(value) }
        values[oldest] = value
        oldest = (oldest + 1) % countMax
    }

    /// Returns the values that satisfy a condition, oldest first. Searches all of them.
    func values(where isIncluded: (Value) -> Bool) -> [Value] {
        values[oldest...].filter(isIncluded) + values[..<oldest].filter(isIncluded)
    }
}
