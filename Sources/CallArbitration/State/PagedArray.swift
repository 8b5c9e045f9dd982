/// An array in pages. Growth copies at most one page, and so does a change while a copy is kept:
/// beside a snapshot, an `Array` of 100,000 calls delayed the next event by 20 ms.
struct PagedArray<Element> {
    /// A power of two, so that places are found by shifting.
    private static var pageBits: Int { 8 }
    private static var pageSize: Int { 1 << pageBits }

    private var pages: [[Element]] = []

    var count: Int {
        pages.last.map { (pages.count - 1) * Self.pageSize + $0.count } ?? 0
    }

    var indices: Range<Int> {
        0..<count
    }

    subscript(index: Int) -> Element {
        _read { yield pages[index >> Self.pageBits][index & (Self.pageSize - 1)] }
        _modify { yield &pages[index >> Self.pageBits][index & (Self.pageSize - 1)] }
    }

    mutating func append(_ element: consuming Element) {
        if pages.last.map({ $0.count == Self.pageSize }) ?? true { pages.append([]) }
        pages[pages.count - 1].append(element)
    }

    func forEach(_ body: (Element) -> Void) {
        for page in pages { page.forEach(body) }
    }
}

extension PagedArray: Equatable where Element: Equatable {}
extension PagedArray: Sendable where Element: Sendable {}
