import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// A journal that cannot be written: that is told, and everything goes on.
struct BrokerJournalTests {
    private let host = MemoryBroker()
    private let a: MemoryPeer
    private let user: MemoryPeer

    init() {
        a = host.provider()
        user = host.controller()
        host.broker.commit()
        host.forget()
    }

    private static let warning = Frame.notification(
        "broker.warning",
        #"{"reason":"journal_failed","message":"cannot write the journal; calls would be lost on "#
            + #"restart: cannot write to journal: No space left on device"}"#)

    /// Something is to be kept, and cannot be.
    private func fail() {
        host.medium.fault = MemoryMedium.full
        a.post("call.report_incoming", Self.incoming(1))
        host.broker.commit()
    }

    private static func incoming(_ call: Int) -> String {
        #"{"call":"c\#(call)","remote":{"type":"phone","value":"+1555\#(call)"}}"#
    }

    private func warnings(_ peer: MemoryPeer) -> Int {
        peer.lines().count { $0 == Self.warning }
    }

    @Test func `everybody whose session is open is warned, once`() {
        let new = host.connect()
        fail()
        #expect(warnings(a) == 1)
        #expect(user.lines() == [Self.warning])
        #expect(new.lines() == [])
        a.ring(2)
        host.broker.commit()
        #expect(warnings(a) + warnings(user) == 0)
    }

    @Test func `who comes later is warned behind the reply to its hello`() {
        fail()
        let later = host.connect()
        let lines = later.ask(Frame.hello())
        #expect(lines.count == 2)
        #expect(lines.last == Self.warning)
    }

    private func journal() throws -> JSONTree? {
        let reply = host.ready("observer").ask(Frame.request(1, "broker.info"))
        return try JSONTree(reply.last ?? "")["result"]?["journal"]
    }

    @Test func `info says how it is, and how long`() throws {
        host.broker.commit()
        let bytes = host.medium.bytes.count
        #expect(try "\(#require(try journal()))" == #"{"state":"kept","bytes":\#(bytes)}"#)
        fail()
        #expect(
            try "\(#require(try journal()))"
                == #"{"state":"failing","bytes":\#(bytes),"#
                + #""message":"cannot write to journal: No space left on device"}"#)
        host.medium.fault = nil
        host.turn(afterMS: 1_000)
        #expect(try journal()?["state"]?.string == "kept")
        #expect(try journal()?["bytes"]?.integer == host.medium.bytes.count)
    }

    @Test func `only an administrator is told where it lies`() throws {
        host.broker.stateFolder = "/state"
        #expect(try journal()?["folder"] == nil)
        let reply = host.ready("admin").ask(Frame.request(1, "broker.info"))
        let journal = try JSONTree(reply.last ?? "")["result"]?["journal"]
        #expect(journal?["folder"]?.string == "/state")
    }

    @Test func `calls go on as if nothing were`() {
        fail()
        host.forget()
        #expect(
            user.tell("call.answer", #"{"call":"c1"}"#)
                == ["1: accepted #1 [#2 answer c1 queued]"])
        host.broker.commit()
        host.settle(a)
        #expect(user.tell("call.list") == ["2: [c1 active]"])
    }

    @Test func `it is tried again each second, and nothing is said until it goes`() {
        fail()
        host.forget()
        for _ in 1...5 { host.turn(afterMS: 1_000) }
        #expect(user.lines() == [])
        let replacements = host.medium.replacements
        host.medium.fault = nil
        host.turn(afterMS: 999)
        #expect(host.medium.replacements == replacements)
        host.turn(afterMS: 1)
        #expect(host.medium.replacements == replacements + 1)
        let lines = host.log.lines.filter { $0.contains("journal") }
        #expect(
            lines == [
                "error cannot write the journal; calls would be lost on restart: "
                    + "cannot write to journal: No space left on device",
                "notice the journal can be written again; it is complete",
            ])
    }

    @Test func `the journal that can be written again has everything`() throws {
        fail()
        host.settle(a)
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        _ = user.tell("policy.set", #"{"on_cannot_hold":"end"}"#)
        host.broker.commit()
        host.medium.fault = nil
        host.turn(afterMS: 1_000)
        try host.expectThatItsJournalTellsAll()
        a.ring(2)
        try host.expectThatItsJournalTellsAll()
        let successor = try MemoryBroker(goingOnAfter: host)
        let calls = successor.controller().tell("call.list")
        #expect(calls.count == 1)
        #expect(calls[0].contains("c1 ringing") && calls[0].contains("c2 waiting"))
    }

    @Test func `who comes when it can be written again is not warned`() {
        fail()
        host.medium.fault = nil
        host.turn(afterMS: 1_000)
        #expect(host.connect().ask(Frame.hello()).count == 1)
    }

    @Test func `a second failure is told again`() {
        fail()
        host.medium.fault = nil
        host.turn(afterMS: 1_000)
        host.forget()
        host.medium.fault = MemoryMedium.full
        a.ring(2)
        host.broker.commit()
        #expect(warnings(user) == 1)
    }
}
