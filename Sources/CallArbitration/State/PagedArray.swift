/// An array in pages. Growth copies at most one page, and so does a change while a copy is kept:
/// beside a snapshot, an `Array` of 100,000 calls delayed the next event by 20 ms.
struct PagedArray<Element> {
    /// A power of two, so that places are found by shifting.
    private static var pageBits: Int { 8 }
    private static var pageSize: Int { 1 << pageBits }

    private var pages: [[Element]] = []
    private(set) var count = 0

    init() {}

    init(repeating element: Element, count: Int) {
        pages = Array(
            repeating: Array(repeating: element, count: Self.pageSize),
            count: count >> Self.pageBits)
        let rest = count & (Self.pageSize - 1)
        if rest > 0 { pages.append(Array(repeating: element, count: rest)) }
        self.count = count
    }

    var indices: Range<Int> {
        0..<count
    }

    subscript(index: Int) -> Element {
        _read { yield pages[index >> Self.pageBits][index & (Self.pageSize - 1)] }
        _modify { yield &pages[index >> Self.pageBits][index & (Self.pageSize - 1)] }
    }

    mutating func append(_ element: consuming Element) {
        if count & (Self.pageSize - 1) == 0 { pages.append([]) }
        pages[pages.count - 1].append(element)
        count += 1
    }

    /// Removes all elements, and frees their pages little by little.
    ///
    /// - Parameter pause: Called after every two thousand elements.
    mutating func removeAll(pausing pause: () -> Void) {
        while pages.popLast() != nil {
            if pages.count % 8 == 0 { pause() }
        }
        count = 0
    }

    func forEach(_ body: (Element) -> Void) {
        forEachPage { $0.forEach(body) }
    }

    func forEachPage(_ body: ([Element]) -> Void) {
        pages.forEach(body)
    }
}

extension PagedArray: Equatable where Element: Equatable {}
extension PagedArray: Sendable where Element: Sendable {}
