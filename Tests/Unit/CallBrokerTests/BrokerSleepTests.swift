import BrokerSocket
import CallTesting
import Testing

/// The host has slept; the monotonic clock stood.
struct BrokerSleepTests {
    private let host = MemoryBroker()

    private func wakeUp(afterMS milliseconds: Int64) {
        host.host.asleepMS += milliseconds
        host.turn()
    }

    @Test func `what rang for longer than it may ends on waking`() throws {
        let app = host.provider()
        let observer = host.observer("call.*")
        app.ring(1)
        _ = observer.brief()
        wakeUp(afterMS: 1_000)
        #expect(observer.brief() == [])
        wakeUp(afterMS: 600_000)
        #expect(observer.brief().joined().contains("unanswered"))
        try host.expectThatItsJournalTellsAll()
    }

    @Test func `what rings on does so for the rest of its time`() throws {
        let app = host.provider()
        let observer = host.observer("call.*")
        app.ring(1)
        _ = observer.brief()
        wakeUp(afterMS: 10_000)
        #expect(observer.brief() == [])
        try host.expectThatItsJournalTellsAll()
        host.turn(afterMS: 49_999)
        #expect(!observer.brief().joined().contains("unanswered"))
        host.turn(afterMS: 1)
        #expect(observer.brief().joined().contains("unanswered"))
    }

    @Test func `nobody is lost for the time asleep`() {
        let app = host.provider()
        let user = host.controller()
        host.talk(1, of: app, by: user)
        let new = host.connect()
        let observer = host.observer()
        app.vanish()
        _ = observer.brief()
        wakeUp(afterMS: 600_000)
        #expect(observer.brief() == [])
        #expect(!new.isClosed)
        #expect(!user.isClosed)
    }
}
