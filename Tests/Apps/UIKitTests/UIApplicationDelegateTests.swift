import Testing

/// One after the other: a program has one delegate.
@MainActor @Suite(.serialized) struct UIApplicationDelegateTests {
    @Test func `an activity goes to the app's delegate, who says whether it sees to it`() {
        let known = Delegate.knowing()
        #expect(known.answers == [true, false])
        #expect(known.told == ["known", "unknown"])
    }

    @Test func `a delegate without the method sees to nothing`() {
        #expect(!Delegate.idle())
    }

    @Test func `without a delegate nothing is handed over`() {
        let way = Delegate.isOpen()
        #expect(way.kept)
        #expect(!way.gone)
    }
}
