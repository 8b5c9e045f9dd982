import CallBroker
import CallTesting
import Testing

/// Requests that are asked for again, and taken back.
struct BrokerAskingTwiceTests {
    private let host = MemoryBroker()
    private let a: MemoryPeer
    private let user: MemoryPeer
    private let other: MemoryPeer

    init() {
        a = host.provider()
        user = host.controller()
        other = host.controller()
    }

    // MARK: - The same id again

    @Test func `the same again is the same whatever has become of the default app and its lines`() {
        let start = #"{"call":"c1","remote":{"type":"phone","value":"1"},"transaction":"t1"}"#
        #expect(user.tell("call.start", start).first?.hasPrefix("1: accepted t1") == true)
        _ = a.tell("provider.update", #"{"lines":[{"line":"x","label":"X","default":true}]}"#)
        #expect(user.tell("call.start", start).last?.hasSuffix("replayed=true") == true)
        _ = host.provider("org.b")
        #expect(user.tell("call.start", start).last?.hasSuffix("replayed=true") == true)
        let dial = #"{"uri":"tel:1","line":"x","provider":"org.a","transaction":"t2"}"#
        _ = user.tell("call.end", #"{"call":"c1"}"#)
        host.settle(a)
        _ = user.tell("call.dial", dial)
        _ = a.tell("provider.update", #"{"lines":[]}"#)
        #expect(user.tell("call.dial", dial).last?.hasSuffix("replayed=true") == true)
    }

    @Test func `the same again gets the same reply, and is done once`() {
        a.ring(1)
        host.forget()
        let answer = #"{"call":"c1","transaction":"t1"}"#
        let reply = "accepted t1 [#1 answer c1 queued]"
        #expect(user.tell("call.answer", answer) == ["1: \(reply)"])
        #expect(user.tell("call.answer", answer) == ["2: \(reply) replayed=true"])
        // The client may have lost its connection in between.
        #expect(other.tell("call.answer", answer) == ["1: \(reply) replayed=true"])
        #expect(a.brief().count == 1)
        a.fulfil(1)
        host.forget()
        #expect(user.tell("call.answer", answer) == ["3: \(reply) replayed=true"])
        #expect(a.brief() == [])
    }

    @Test func `the long form and the short are the same request`() {
        a.ring(1)
        host.forget()
        _ = user.tell("call.answer", #"{"call":"c1","transaction":"t1"}"#)
        #expect(
            user.tell(
                "transaction.request",
                #"{"actions":[{"kind":"answer","call":"c1"}],"transaction":"t1"}"#)
                == ["2: accepted t1 [#1 answer c1 queued] replayed=true"])
    }

    @Test func `other content under the same id is refused`() {
        a.ring(1)
        host.forget()
        _ = user.tell("call.answer", #"{"call":"c1","transaction":"t1"}"#)
        let refusal = "-32005 transaction field=/transaction"
        #expect(user.tell("call.end", #"{"call":"c1","transaction":"t1"}"#) == ["2: \(refusal)"])
        #expect(
            user.tell("call.answer", #"{"call":"c1","transaction":"t1","deadline_ms":5}"#)
                == ["3: \(refusal)"])
        #expect(a.brief().count == 1)
    }

    @Test func `asked for again while it is under way, it is answered when the first is`() {
        a.ring(1)
        host.forget()
        let answer = #"{"call":"c1","transaction":"t1","wait":"completed"}"#
        #expect(user.tell("call.answer", answer) == [])
        #expect(other.tell("call.answer", answer) == [])
        a.fulfil(1)
        let reply = "1: completed t1 [#1 answer c1 fulfilled]"
        #expect(user.brief() == [reply])
        #expect(other.brief() == [reply + " replayed=true"])
        #expect(
            other.tell("call.answer", answer) == [
                "2: completed t1 [#1 answer c1 fulfilled] replayed=true"
            ])
    }

    @Test func `sixteen at most wait for the reply to what another has asked for`() {
        a.ring(1)
        host.forget()
        let answer = #"{"call":"c1","transaction":"t1","wait":"completed"}"#
        #expect(user.tell("call.answer", answer) == [])
        for _ in 0..<16 { #expect(other.tell("call.answer", answer) == []) }
        #expect(
            other.tell("call.answer", answer) == [
                "17: -32012 pending retry_after_ms=100 limit={name:asked_again,value:16}"
            ])
        a.fulfil(1)
        #expect(user.brief() == ["1: completed t1 [#1 answer c1 fulfilled]"])
        #expect(other.brief().count == 16)
        #expect(
            other.tell("call.answer", answer) == [
                "18: completed t1 [#1 answer c1 fulfilled] replayed=true"
            ])
    }

    @Test func `a failure is replayed as the failure that it was`() {
        host.talk(1, of: a, by: user)
        user.lastID = 0
        let mute = #"{"call":"c1","muted":true,"transaction":"t1","wait":"completed"}"#
        user.post("call.set_muted", mute)
        host.turn(afterMS: 5_000)
        let first = user.brief()
        #expect(first.map { $0.prefix(27) } == ["1: -32009 deadline_exceeded"])
        #expect(user.tell("call.set_muted", mute) == ["2:" + first[0].dropFirst(2)])
    }

    @Test func `a refused request changed nothing, and may be asked for again`() {
        let end = #"{"call":"c1","transaction":"t1"}"#
        #expect(user.tell("call.end", end) == ["1: -32004 unknown_call rule=31"])
        #expect(user.tell("call.end", end) == ["2: -32004 unknown_call rule=31"])
        a.ring(1)
        #expect(user.tell("call.end", end) == ["3: accepted t1 [#1 end c1 queued]"])
    }

    @Test func `what is remembered is forgotten ten minutes later`() {
        host.talk(1, of: a, by: user)
        user.lastID = 0
        let mute = #"{"call":"c1","muted":true,"transaction":"t1"}"#
        _ = user.tell("call.set_muted", mute)
        a.fulfil(2)
        host.turn(afterMS: 599_999)
        host.forget()
        #expect(user.tell("call.set_muted", mute).joined().contains("replayed=true"))
        host.turn(afterMS: 2)
        #expect(!user.tell("call.set_muted", mute).joined().contains("replayed=true"))
    }

    @Test func `a start asked for twice makes one call, though it names none`() {
        let start =
            #"{"provider":"org.a","remote":{"type":"phone","value":"1"},"transaction":"t1"}"#
        let first = user.tell("call.start", start)
        #expect(first.count == 1 && first[0].hasPrefix("1: accepted t1 [#1 start "))
        #expect(
            user.tell("call.start", start) == ["2:" + first[0].dropFirst(2) + " replayed=true"])
        #expect(a.brief().count == 1)
        let other =
            #"{"provider":"org.a","remote":{"type":"phone","value":"2"},"transaction":"t1"}"#
        #expect(
            user.tell("call.start", other) == ["3: -32005 transaction field=/transaction"])
    }

    @Test func `a dry run is not remembered`() {
        host.talk(1, of: a, by: user)
        user.lastID = 0
        _ = user.tell(
            "call.set_muted", #"{"call":"c1","muted":true,"transaction":"t1","dry_run":true}"#)
        #expect(
            user.tell("call.set_muted", #"{"call":"c1","muted":true,"transaction":"t1"}"#) == [
                "2: accepted t1 [#3 set_muted c1 queued]"
            ])
    }

    @Test(arguments: ["call.swap", "call.merge", "call.split"])
    func `a plan that needs no actions of the client's is kept as any other`(method: String) {
        host.talk(1, of: a, by: user)
        host.talk(2, of: a, by: user)
        if method == "call.split" {
            _ = user.tell("call.merge", #"{"call":"c1","with":"c2"}"#)
            host.settle(a)
        }
        user.lastID = 0
        let target = method == "call.merge" ? #""call":"c1","with":"c2""# : #""call":"c1""#
        let first = user.tell(method, #"{\#(target),"transaction":"t1"}"#)
        #expect(first.count == 1 && first[0].hasPrefix("1: accepted t1 ["))
        #expect(
            user.tell(method, #"{\#(target),"transaction":"t1"}"#)
                == ["2:" + first[0].dropFirst(2) + " replayed=true"])
        #expect(
            user.tell("call.end", #"{"call":"c1","transaction":"t1"}"#)
                == ["3: -32005 transaction field=/transaction"])
        #expect(a.brief().count == 1)
    }

    @Test func `a provider's no is replayed with its reason`() {
        host.talk(1, of: a, by: user)
        user.lastID = 0
        let mute = #"{"call":"c1","muted":true,"transaction":"t1","wait":"completed"}"#
        user.post("call.set_muted", mute)
        a.fail(2, -32_000, "headset_gone")
        let first = user.brief()
        #expect(
            first.joined().contains("provider_error={code:-32000,reason:headset_gone"), "\(first)")
        #expect(user.tell("call.set_muted", mute) == ["2:" + first[0].dropFirst(2)])
    }

    @Test func `who has joined his own transaction hears once that it is completed`() {
        a.ring(1)
        host.forget()
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        #expect(
            user.tell("call.answer", #"{"call":"c1"}"#)
                == ["2: accepted #1 [#2 answer c1 dispatched] joined=true"])
        _ = other.tell("call.answer", #"{"call":"c1"}"#)
        a.fulfil(1)
        let completed = "own transaction.completed completed #1 [#2 answer c1 fulfilled] user"
        #expect(user.brief() == [completed])
        #expect(other.brief() == [completed])
    }

    @Test func `who joins and waits for the end is told with it that he has joined`() {
        a.ring(1)
        host.forget()
        let answer = #"{"call":"c1","wait":"completed"}"#
        #expect(user.tell("call.answer", answer) + other.tell("call.answer", answer) == [])
        a.fulfil(1)
        let reply = "1: completed #1 [#2 answer c1 fulfilled]"
        #expect(user.brief() == [reply])
        #expect(other.brief() == [reply + " joined=true"])
    }

    // MARK: - Taking back

    private func cancel(_ request: String) {
        user.send(Frame.notification("broker.cancel", #"{"request":\#(request)}"#))
    }

    @Test func `a request that waits is taken back, and answered once`() {
        a.ring(1)
        host.forget()
        user.post("call.answer", #"{"call":"c1","wait":"completed"}"#)
        _ = a.brief()
        cancel("1")
        #expect(a.brief() == ["cancel 1"])
        #expect(
            user.brief() == [
                "1: -32010 cancelled transaction=#1 actions=[{action:#2,kind:answer,call:c1,"
                    + "provider:org.a,implied:false,state:cancelled}]"
            ])
        // The provider still owes the answer; a refusal changes nothing.
        a.fail(1, -32_010, "cancelled")
        #expect(user.tell("call.list") == ["2: [c1 ringing]"])
        #expect(a.brief() == [])
    }

    @Test func `what has not been sent is not sent any more`() {
        let b = host.provider("org.b")
        host.talk(1, of: a, by: user)
        b.ring(2)
        host.forget()
        user.lastID = 6
        user.post("call.answer", #"{"call":"c2","wait":"completed"}"#)
        _ = a.brief()
        cancel("7")
        #expect(a.brief() == ["cancel 2"])
        #expect(user.brief().map { $0.prefix(19) } == ["7: -32010 cancelled"])
        a.fulfil(2)
        // It was held for nothing: it comes back.
        #expect(
            a.brief() == [
                "audio.deactivated c1: c1",
                "perform 3 #7 set_held c1 held=false arbitration/17a for c2 5000 ms",
            ])
        a.fulfil(3)
        #expect(a.brief() == ["audio.activated c1: c1"])
        #expect(b.brief() == [])
        #expect(user.tell("call.list") == ["8: [c1 active, c2 waiting]"])
    }

    @Test func `what was accepted is taken back by the id of its request`() {
        a.ring(1)
        host.forget()
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        _ = a.brief()
        cancel("1")
        #expect(a.brief() == ["cancel 1"])
        #expect(
            user.brief() == ["own transaction.completed failed #1 [#2 answer c1 cancelled] user"])
        cancel("1")
        #expect(user.brief() == [] && a.brief() == [])
        #expect(user.tell("call.list") == ["2: [c1 ringing]"])
    }

    @Test func `an id that was used again takes nothing back`() {
        a.ring(1)
        host.forget()
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        user.lastID = 0
        _ = user.tell("broker.ping")
        _ = a.brief()
        cancel("1")
        #expect(a.brief() == [] && user.brief() == [])
        // Nor does the end of what it stood for spare the next one.
        _ = user.tell("call.end", #"{"call":"c1"}"#)
        user.lastID = 1
        a.fail(1, -32_010, "cancelled")
        #expect(a.brief().map { $0.prefix(6) } == ["cancel", "perfor"])
        cancel("2")
        #expect(user.brief().filter { $0.contains("end c1") }.count == 1)
    }

    @Test func `who gives up what goes on for another is told alone`() {
        let observer = host.observer("transaction.*")
        a.ring(1)
        host.forget()
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        _ = other.tell("call.answer", #"{"call":"c1"}"#)
        host.forget()
        cancel("1")
        #expect(
            user.brief() == ["own transaction.completed failed #1 [#2 answer c1 dispatched] user"])
        #expect(a.brief() == [] && other.brief() == [] && observer.brief() == [])
        a.fulfil(1)
        #expect(user.brief() == [])
        #expect(
            other.brief() == [
                "own transaction.completed completed #1 [#2 answer c1 fulfilled] user"
            ])
    }

    @Test func `an id that is not waiting is ignored`() {
        a.ring(1)
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        host.settle(a)
        for id in ["1", "2", "99", #""1""#, "-5"] { cancel(id) }
        #expect(user.lines() == [] && a.lines() == [])
    }
}
