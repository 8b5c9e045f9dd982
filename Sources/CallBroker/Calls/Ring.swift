/// The latest values, up to a number of them: one more takes the place of the oldest.
struct Ring<Value> {
    private let countMax: Int
    private var values: [Value] = []
    /// The index of the oldest value, once the ring is full.
    private var oldest = 0

    init(countMax: Int) {
        self.countMax = countMax
    }

    /// Appends a value.
    ///
    /// - Returns: the place of the value.
    @discardableResult
    mutating func append(_ value: Value) -> Int {
        guard values.count == countMax else {
            values.append(value)
            return values.count - 1
        }
        let place = oldest
        values[place] = value
        oldest = (oldest + 1) % countMax
        return place
    }

    subscript(place: Int) -> Value {
        _read { yield values[place] }
        _modify { yield &values[place] }
    }

    /// Returns the values that satisfy a condition, oldest first. Searches all of them.
    func values(where isIncluded: (Value) -> Bool) -> [Value] {
        values[oldest...].filter(isIncluded) + values[..<oldest].filter(isIncluded)
    }
}
