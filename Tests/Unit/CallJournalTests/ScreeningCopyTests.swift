import CallModel
import Testing

@testable import CallJournal

struct ScreeningCopyTests {
    private var copy = ScreeningCopy()

    private func pattern(_ text: String) -> ScreeningCopy.Pattern {
        ScreeningCopy.Pattern(Handle(kind: .generic, value: text))
    }

    @Test mutating func `what is blocked twice stands there once, and goes at once`() {
        for _ in 1...2 { copy.apply(.block(pattern("a"))) }
        #expect(copy.blocked == [pattern("a")])
        copy.apply(.unblock(pattern("a")))
        #expect(copy == ScreeningCopy())
    }

    @Test mutating func `it is bounded in number`() {
        for number in 1...ScreeningCopy.countMax { copy.apply(.block(pattern("\(number)"))) }
        #expect(copy.isWhole)
        copy.apply(.block(pattern("one more")))
        #expect(!copy.isWhole)
        #expect(copy.blocked.count == ScreeningCopy.countMax)
    }

    @Test mutating func `it is bounded in bytes, with whom it lets through`() {
        copy.block(pattern(String(repeating: "a", count: ScreeningCopy.bytesMax - 1)))
        copy.letThrough(Handle(kind: .generic, value: "bb"))
        #expect(!copy.isWhole)
        #expect(copy.breakingThrough == [])
        copy.letThrough(Handle(kind: .generic, value: "c"))
        #expect(copy.breakingThrough.count == 1)
    }
}
