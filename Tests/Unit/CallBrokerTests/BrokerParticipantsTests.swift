import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// The participants of conferences that far ends run.
struct BrokerParticipantsTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let user: MemoryPeer
    private let observer: MemoryPeer

    init() {
        (app, user, observer) = host.conversation(observing: "call.participants")
    }

    private func report(_ members: String, of call: String = "c1", by peer: MemoryPeer? = nil)
        -> [String]
    {
        (peer ?? app).report("participants", of: call, members)
    }

    private func list(_ members: String = "") throws -> JSONTree {
        let lines = user.ask(
            Frame.request(90, "participant.list", #"{"call":"\#(ShortID.call(1))"\#(members)}"#))
        let reply = try #require(lines.last)
        return try #require(JSONTree(reply)["result"])
    }

    private func ids(_ page: JSONTree) -> [String] {
        page["participants"]?.elements.compactMap { $0["participant"]?.string } ?? []
    }

    @Test func `participants are listed in order of their first report`() throws {
        _ = report(#""changed":[{"participant":"b","name":"Ada","self":true},{"participant":"a"}]"#)
        _ = report(
            #""changed":[{"participant":"c"},{"participant":"b","name":"Ada","hand_raised":true}]"#)
        let page = try list()
        #expect(ids(page) == ["b", "a", "c"])
        #expect(page["count"]?.integer == 3 && page["next"] == nil)
        let first = page["participants"]?.elements.first
        #expect(first?["hand_raised"] == .boolean(true) && first?["self"] == .boolean(false))
        #expect(first?["state"] == .string("joined") && first?["muted"] == .boolean(false))
    }

    @Test func `who has left is removed, and a replacement forgets the others`() throws {
        _ = report(#""changed":[{"participant":"a"},{"participant":"b"},{"participant":"c"}]"#)
        _ = report(#""removed":["b","unknown"]"#)
        #expect(try ids(list()) == ["a", "c"])
        _ = report(#""replace":true,"changed":[{"participant":"c"}]"#)
        #expect(try ids(list()) == ["c"])
    }

    @Test func `each report is published with the number of participants`() throws {
        _ = report(#""changed":[{"participant":"a"},{"participant":"b"}]"#)
        _ = report(#""removed":["a"]"#)
        let events = observer.lines().compactMap { try? JSONTree($0)["params"]?["data"] }
        #expect(events.map { $0["count"]?.integer } == [2, 1])
        #expect(events.last?["removed"]?.elements.compactMap(\.string) == ["a"])
    }

    @Test func `after a restart nobody is known, and observers are told so`() throws {
        _ = report(#""changed":[{"participant":"a"},{"participant":"b"}]"#)
        let line = try #require(observer.lines().last)
        let seq = try #require(try JSONTree(line)["params"]?["seq"]?.integer)
        try host.expectThatItsJournalTellsAll()
        let next = try MemoryBroker(goingOnAfter: host)
        let resumed = next.ready("observer").ask(
            Frame.request(
                2, "events.subscribe",
                #"{"topics":["call.participants"],"cursor":{"epoch":"\#(host.broker.epoch)","#
                    + #""seq":\#(seq)}}"#))
        #expect(resumed.count == 2, "\(resumed)")
        #expect(resumed.last?.contains(#""count":0"#) == true)
        #expect(resumed.last?.contains(#""replace":true"#) == true)
    }

    @Test func `a long list is given in pages`() throws {
        for start in stride(from: 0, to: 1_000, by: 100) {
            let some = (start..<start + 100).map { #"{"participant":"\#($0)"}"# }.joined(
                separator: ",")
            _ = report(#""changed":[\#(some)]"#)
        }
        var (all, after): ([String], String?) = ([], nil)
        repeat {
            let page = try list(#","limit":300"# + (after.map { #","after":"\#($0)""# } ?? ""))
            all += ids(page)
            after = page["next"]?.string
        } while after != nil
        #expect(all == (0..<1_000).map(String.init))
        #expect(
            report(#""changed":[{"participant":"more"}]"#).last?.contains("max_entries") == true)
        #expect(
            report(#""changed":[{"participant":"more"}],"removed":["7"]"#).last?.contains("{}")
                == true)
        #expect(try list()["count"]?.integer == 1_000)
    }

    @Test(arguments: [
        (#""changed":[{"name":"Ada"}]"#, "c1", "-32602"), (#""removed":[7]"#, "c1", "-32602"),
        (#""removed":["a"]"#, "c7", "-32004"), (#""removed":["a"]"#, "c2", "-32004"),
    ])
    func `a report that cannot be is refused`(members: String, call: String, code: String) {
        host.provider("org.b").ring(2)
        #expect(report(members, of: call).last?.contains(code) == true)
        #expect(observer.lines().isEmpty)
    }

    @Test func `a hand is raised by the app, which reports it`() throws {
        _ = report(
            #""changed":[{"participant":"7","self":true,"changeable":["hand_raised","x_new"]}]"#)
        #expect(
            try list()["participants"]?.elements.first?["changeable"]?.elements.count == 1)
        user.post("participant.update", #"{"call":"c1","participant":"7","hand_raised":true}"#)
        let request = try #require(app.lines().last)
        #expect(request.contains(#""method":"participant.change""#))
        #expect(request.contains(#""participant":"7","hand_raised":true,"deadline_ms":10000}"#))
        #expect(user.lines().isEmpty)
        app.send(Frame.result(try #require(try JSONTree(request)["id"]?.integer)))
        #expect(user.lines().last?.contains(#""result":{"seq":"#) == true)
    }

    @Test(arguments: [
        (#""participant":"9","muted":true"#, "-32004 unknown_participant field=/participant"),
        (#""participant":"7","muted":true"#, "-32004 unknown_participant field=/participant"),
        (#""participant":"7""#, "-32602 missing_member field=/muted"),
        (
            #""participant":"7","muted":true,"hand_raised":true"#,
            "-32602 invalid_value field=/hand_raised"
        ),
    ])
    func `what cannot be changed about a participant is refused`(members: String, error: String) {
        _ = report(#""changed":[{"participant":"7","changeable":["hand_raised"]}]"#)
        host.forget()
        #expect(
            user.tell("participant.update", #"{"call":"c1",\#(members)}"#).last?.contains(error)
                == true)
        #expect(app.lines().isEmpty)
    }

    @Test func `they are forgotten when the call ends`() {
        _ = report(#""changed":[{"participant":"a"}]"#)
        _ = app.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        let lines = user.ask(
            Frame.request(90, "participant.list", #"{"call":"\#(ShortID.call(1))"}"#))
        #expect(lines.last?.contains("call_ended") == true)
    }
}
