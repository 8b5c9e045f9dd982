import CallModel
import Testing

// How sessions are kept is the broker's own business.
@testable import CallBroker

struct SessionTableTests {
    private func session(_ name: String) -> ProviderSession {
        ProviderSession(provider: ProviderID(name), key: .random())
    }

    @Test func `the registered ones are listed in the order of their names`() {
        var table = SessionTable()
        for name in ["org.c", "org.a", "org.d", "org.b"] {
            let session = session(name)
            table[session.provider] = session
            if name != "org.d" { table.setRegistered(session, true) }
        }
        #expect(table.registered.map(\.name) == ["org.a", "org.b", "org.c"])
        #expect(table.registered(after: "org.a").map(\.name) == ["org.b", "org.c"])
        #expect(table.registered(after: "org.aa").map(\.name) == ["org.b", "org.c"])
        #expect(table.registered(after: "org.c").isEmpty)
    }

    @Test func `one that is over, or registered no more, is not listed`() {
        var table = SessionTable()
        for name in ["org.a", "org.b"] {
            let session = session(name)
            table[session.provider] = session
            table.setRegistered(session, true)
            table.setRegistered(session, true)
        }
        table[ProviderID("org.a")] = nil
        #expect(table.registered.map(\.name) == ["org.b"])
        if let session = table[ProviderID("org.b")] { table.setRegistered(session, false) }
        #expect(table.registered == [])
    }

    @Test func `a session that takes the place of another is listed as it is registered`() {
        var table = SessionTable()
        let former = session("org.a")
        table[former.provider] = former
        table.setRegistered(former, true)
        let next = session("org.a")
        table[next.provider] = next
        #expect(table.registered == [])
        table.setRegistered(former, true)
        #expect(table.registered == [])
    }
}
