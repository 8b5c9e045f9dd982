internal import Glibc

/// SplitMix64. A test has the same seed in each run, or the one in `CALLBROKER_TEST_SEED`, which is
/// a number or `new`; it is printed.
package struct SeededRandom: RandomNumberGenerator {
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// A generator with the seed that was asked for, or 1.
    package init(for test: String) {
        let wanted = getenv("CALLBROKER_TEST_SEED").map { String(cString: $0) } ?? ""
        self.init(
            seed: wanted == "new" ? .random(in: 1...UInt64(UInt32.max)) : UInt64(wanted) ?? 1)
        print("\(test): seed \(seed)")
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }

    package mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &self)]
    }
}
