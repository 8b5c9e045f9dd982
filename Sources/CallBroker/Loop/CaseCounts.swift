/// Counts of the cases of an enumeration, in an array. Counting allocates nothing.
struct CaseCounts<Case: CaseIterable & Equatable> {
    private let cases = Array(Case.allCases)
    private var counts = [Int](repeating: 0, count: Case.allCases.count)

    mutating func add(_ counted: Case) {
        if let place = cases.firstIndex(of: counted) { counts[place] += 1 }
    }

    subscript(counted: Case) -> Int {
        cases.firstIndex(of: counted).map { counts[$0] } ?? 0
    }

    /// The cases that have occurred, with their counts, in the order of the enumeration.
    var occurred: [(case: Case, count: Int)] {
        zip(cases, counts).filter { $0.1 > 0 }.map { (case: $0.0, count: $0.1) }
    }
}
