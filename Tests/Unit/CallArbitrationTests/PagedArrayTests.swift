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

    @Test(arguments: [0, 1, 255, 256, 257, 1_024])
    func `an array of equal elements is as one to which they were appended`(count: Int) {
        var appended = PagedArray<Int>()
        for _ in 0..<count { appended.append(7) }
        var array = PagedArray(repeating: 7, count: count)
        #expect(array == appended)
        array.append(8)
        #expect(array.count == count + 1 && array[count] == 8)
        array[0] = 9
        #expect(array.indices.dropFirst().dropLast().allSatisfy { array[$0] == 7 })
    }

    @Test func `a copy keeps what it had`() {
        var array = PagedArray<Int>()
        for number in 0..<600 { array.append(number) }
        let copy = array
        array[599] = 0
        array.append(600)
        #expect(copy.count == 600 && copy[599] == 599 && array[599] == 0 && array != copy)
    }

    @Test func `an array that is emptied lets others run in between, and can be filled again`() {
        var array = PagedArray(repeating: 7, count: 10_000)
        let copy = array
        var pauses = 0
        array.removeAll { pauses += 1 }
        #expect(array.count == 0 && array == PagedArray())
        #expect(pauses == 5 && copy.count == 10_000)
        array.append(8)
        #expect(array.count == 1 && array[0] == 8)
    }
}
