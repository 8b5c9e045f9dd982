import BrokerSocket
import CallBroker
import CallProtocol
import CallTesting
import Testing

/// The dry run of `call.report_incoming`: whether a call would ring, without one.
struct BrokerTrialTests {
    private let host: MemoryBroker
    private let a: MemoryPeer
    private let user: MemoryPeer
    private let observer: MemoryPeer

    init() {
        host = MemoryBroker()
        a = host.provider()
        user = host.controller()
        observer = host.observer("*")
        host.forget()
    }

    private static let dryRun = #""dry_run":true"#

    private func tries(_ call: Int, _ members: String = "") -> [String] {
        a.ring(call, members.isEmpty ? Self.dryRun : "\(Self.dryRun),\(members)")
    }

    private static func rings(_ id: Int, _ call: Int = 9, more: String = "") -> String {
        #"\#(id): {"dry_run":true,"call":"c\#(call)","state":"ringing","presentation":"ring","#
            + #""rule":"1"\#(more)}"#
    }

    // MARK: - What the arbiter decides

    @Test func `on an idle host a call would ring, and nothing happens`() throws {
        host.broker.commit()
        let bytes = host.medium.bytes.count
        #expect(tries(9) == [Self.rings(1)])
        #expect(observer.brief() == [] && user.brief() == [])
        #expect(user.tell("call.list").last?.contains("[]") == true)
        host.broker.commit()
        #expect(host.medium.bytes.count == bytes)
    }

    private func asks(_ app: String, _ peer: MemoryPeer) -> String {
        let remote = #"{"type":"phone","value":"+15550101"}"#
        return peer.tell("call.may_ring", #"{"provider":"\#(app)","remote":\#(remote)}"#).last ?? ""
    }

    @Test func `a program beside the app is told the same, and nothing happens`() {
        #expect(asks("org.a", user).contains(#""state":"ringing","presentation":"ring""#))
        host.talk(1, of: a, by: user)
        #expect(asks("org.a", user).contains(#""state":"waiting""#))
        #expect(user.tell("call.list").last?.contains("c1") == true)
        _ = host.ready("admin").tell("policy.set", #"{"busy_in_call":true}"#)
        #expect(asks("org.a", user).contains("in_call"))
        #expect(a.brief().contains { $0.contains("may_ring") } == false)
    }

    @Test func `a program beside an app that is not there, or may have no calls, is told so`() {
        #expect(asks("org.b", user).contains("unknown_provider"))
        _ = host.ready("admin").tell(
            "policy.set", #"{"authorization":{"org.a":"denied"}}"#)
        #expect(asks("org.a", user).contains("unentitled"))
    }

    @Test func `beside a live call it would wait, with a tone`() {
        host.talk(1, of: a, by: user)
        #expect(
            tries(9) == [
                #"2: {"dry_run":true,"call":"c9","state":"waiting","presentation":"tone","#
                    + #""rule":"2"}"#
            ])
    }

    @Test func `a call that would be refused is refused as its report would be, and not missed`()
        throws
    {
        let store = try MemoryStore(of: host)
        _ = host.ready("admin").tell("policy.set", #"{"limits":{"ringing":1}}"#)
        a.ring(1)
        host.forget()
        let trial = tries(9)
        #expect(trial.map { $0.contains("-32007 max_ringing") } == [true], "\(trial)")
        #expect(observer.brief() == [])
        user.post("history.list")
        store.settle()
        #expect(user.lines().last?.contains(#""entries":[]"#) == true)
        // The report itself is refused in the same words.
        #expect(a.ring(9).map { $0.drop { $0 != ":" } } == trial.map { $0.drop { $0 != ":" } })
    }

    @Test func `the id of a call that exists is refused`() {
        a.ring(1)
        #expect(tries(1).last?.contains("-32005") == true)
    }

    @Test func `after a trial its id is as free as before`() {
        _ = tries(9)
        #expect(
            a.ring(9).last?.contains(#"{"call":"c9","state":"ringing","presentation":"ring"}"#)
                == true)
    }

    @Test func `a claim to be an emergency counts as it would in a report`() {
        host.talk(1, of: a, by: user)
        let trial = tries(9, #""priority":"emergency""#)
        #expect(trial.last?.contains(#""state":"waiting""#) == true, "\(trial)")
        #expect(observer.brief() == [])
    }

    // MARK: - Filters

    @Test func `do-not-disturb keeps a trial from ringing`() {
        _ = user.tell("policy.set", #"{"do_not_disturb":{"on":true}}"#)
        #expect(tries(9) == ["1: -32008 do_not_disturb rule=32"])
    }

    @Test func `a filter is asked about a trial by an id of its own, and decides`() throws {
        let guardian = host.adviser(.screener, "org.guard")
        #expect(tries(9) == [])
        let check = try #require(guardian.asked("screener.check").first)
        let asked = check.params
        #expect(asked["dry_run"]?.boolean == true)
        #expect(asked["call"]?.string != ShortID.call(9))
        #expect(asked["remote"]?["value"]?.string == "+15559")
        guardian.send(Frame.result(check.id, #"{"verdict":"block"}"#))
        #expect(a.brief() == ["1: -32008 screener rule=32"])
        #expect(observer.brief().filter { !$0.contains("peer") } == [])
    }

    @Test func `a filter silences a trial`() {
        let guardian = host.adviser(.screener, "org.guard")
        _ = tries(9)
        guardian.answer("screener.check", #"{"verdict":"silence"}"#)
        #expect(a.brief().last?.contains(#""presentation":"silent","rule":"32""#) == true)
    }

    @Test func `a filter that is late does not keep the reply`() {
        _ = host.adviser(.screener, "org.guard")
        _ = tries(9)
        host.turn(afterMS: 1_499)
        #expect(a.brief() == [])
        host.turn(afterMS: 1)
        #expect(a.brief() == [Self.rings(1)])
    }

    @Test func `a filter that leaves does not keep the reply`() {
        let guardian = host.adviser(.screener, "org.guard")
        _ = tries(9)
        guardian.vanish()
        #expect(a.brief() == [Self.rings(1)])
    }

    @Test func `the call itself may come while filters examine its trial`() {
        let guardian = host.adviser(.screener, "org.guard")
        _ = tries(9)
        #expect(a.ring(9) == [])
        let asked = guardian.asked("screener.check")
        #expect(asked.map { $0.params["dry_run"]?.boolean } == [true, nil])
        guardian.send(Frame.result(asked[1].id, #"{"verdict":"continue"}"#))
        #expect(a.brief() == [#"2: {"call":"c9","state":"ringing","presentation":"ring"}"#])
        guardian.send(Frame.result(asked[0].id, #"{"verdict":"continue"}"#))
        // The id is that of a call now.
        #expect(a.brief().last?.hasPrefix("1: -32005") == true)
    }

    @Test func `what happens meanwhile counts`() {
        let guardian = host.adviser(.screener, "org.guard")
        _ = tries(9)
        let asked = guardian.asked("screener.check")
        a.ring(1)
        host.turn(afterMS: 1_000)
        let other = guardian.asked("screener.check").last
        if let other { guardian.send(Frame.result(other.id, #"{"verdict":"continue"}"#)) }
        _ = a.brief()
        guardian.send(Frame.result(asked[0].id, #"{"verdict":"continue"}"#))
        #expect(a.brief().last?.contains(#""state":"waiting""#) == true)
    }

    @Test func `a screener makes a trial a priority call, which passes do-not-disturb`() {
        _ = user.tell(
            "policy.set",
            #"{"do_not_disturb":{"on":true,"priority_callers_pass":true}}"#)
        let guardian = host.adviser(.screener, "org.guard")
        _ = tries(9)
        guardian.answer("screener.check", #"{"verdict":"continue","priority":true}"#)
        #expect(a.brief() == [Self.rings(1)])
        _ = tries(8)
        guardian.answer("screener.check", #"{"verdict":"continue"}"#)
        #expect(a.brief() == ["2: -32008 do_not_disturb rule=32"])
    }

    @Test func `trials are no attempts of a caller who calls again`() {
        _ = user.tell("policy.set", #"{"do_not_disturb":{"on":true,"repeated_calls_pass":true}}"#)
        for id in 1...3 { #expect(tries(9) == ["\(id): -32008 do_not_disturb rule=32"]) }
    }

    @Test func `a block of the user's is found in the store`() throws {
        let store = try MemoryStore(of: host)
        user.post("block.add", #"{"handle":{"type":"phone","value":"+15559"}}"#)
        store.settle()
        host.forget()
        _ = tries(9)
        store.settle()
        #expect(a.brief().last?.contains("block_list rule=32") == true)
        _ = tries(8)
        store.settle()
        #expect(a.brief().last?.contains(#""rule":"1""#) == true)
    }

    @Test func `the app may leave while its trial is examined`() {
        let guardian = host.adviser(.screener, "org.guard")
        _ = tries(9)
        a.vanish()
        guardian.answer("screener.check", #"{"verdict":"continue"}"#)
        host.turn(afterMS: 10_000)
        let b = host.provider()
        #expect(b.ring(8, Self.dryRun) == [])
    }

    @Test func `a filter that a report would start is named, and not started`() throws {
        let stage = PluginHostStage([
            "org.guard": """
            {"manifest":1,"identity":"org.guard","roles":["screener"],"exec":["s"],\
            "start":"demand"}
            """
        ])
        let app = stage.memory.provider()
        let reply = app.ring(9, Self.dryRun)
        #expect(reply.last?.contains(#""unasked":["org.guard"]"#) == true, "\(reply)")
        #expect(stage.spawned.isEmpty)
    }
}
