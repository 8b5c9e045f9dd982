import Testing

@testable import CallArbitration

struct PagedArrayTests {
    @Test func `elements keep their places, over the edges of pages`() {
        var array = PagedArray<Int>()
        #expect(array.count == 0 && array.indices.isEmpty)
        for number in 0..<1_000 {
            array.append(number)
            #expect(array.count == number + 1)
        }
        array[256] = -1
        var all: [Int] = []
        array.forEach { all.append($0) }
        #expect(all == array.indices.map { $0 == 256 ? -1 : $0 })
    }

    @Test func `a copy keeps what it had`() {
        var array = PagedArray<Int>()
        for number in 0..<600 { array.append(number) }
        let copy = array
        array[599] = 0
        array.append(600)
        #expect(copy.count == 600 && copy[599] == 599 && array[599] == 0 && array != copy)
    }
}
