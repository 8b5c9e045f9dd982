import BrokerRPC
import CallBroker
import CallTesting
import Testing

/// Lists of calls, page by page.
struct BrokerCallListTests {
    private let host = MemoryBroker { $0.makeRoom(for: 10_000) }
    private let a: MemoryPeer
    private let user: MemoryPeer

    init() {
        a = host.provider()
        user = host.controller()
    }

    /// One page: the calls' ids, and where the next begins.
    private func page(
        _ after: String? = nil, limit: Int? = nil, filter: String? = nil
    ) throws -> (calls: [String], next: String?, bytes: Int) {
        let members = [
            after.map { #""after":"\#($0)""# }, limit.map { #""limit":\#($0)"# },
            filter.map { #""filter":\#($0)"# },
        ]
        user.post("call.list", "{\(members.compactMap { $0 }.joined(separator: ","))}")
        let lines = user.lines()
        try #require(lines.count == 1)
        let result = try #require(try JSONTree(ShortID.short(lines[0]))["result"])
        let calls = (result["calls"]?.elements ?? []).compactMap { $0["call"]?.string }
        return (calls, result["next"]?.string, lines[0].utf8.count + 1)
    }

    private func names(_ numbers: some Sequence<Int>) -> [String] {
        numbers.map { "c\($0)" }
    }

    private func end(_ numbers: some Sequence<Int>) {
        for number in numbers {
            _ = a.tell("call.report_ended", #"{"call":"c\#(number)","reason":"remote_ended"}"#)
        }
    }

    @Test func `without calls the list is empty`() {
        #expect(
            user.ask(Frame.request(1, "call.list")) == [Frame.result(1, #"{"calls":[],"seq":1}"#)])
    }

    @Test func `calls come in the order of their making`() throws {
        for call in [3, 1, 2] { a.ring(call) }
        let list = try page()
        #expect(list.calls == ["c3", "c1", "c2"])
        #expect(list.next == nil)
    }

    @Test func `600 calls take as many pages as frames, each as full as can be`() throws {
        for call in 1...600 { a.ring(call) }
        var (all, after, sizes): ([String], String?, [Int]) = ([], nil, [])
        repeat {
            let next = try page(after)
            all += next.calls
            sizes.append(next.bytes)
            after = next.next
        } while after != nil
        #expect(all == names(1...600))
        #expect(sizes.count > 2)
        #expect(sizes.allSatisfy { $0 <= 65_535 })
        #expect(sizes.dropLast().allSatisfy { $0 > 63_000 })
    }

    @Test func `for a page so many calls are looked at, whether they fit the filter or not`() throws
    {
        for call in 1...2_050 { a.ring(call) }
        let first = try page(filter: #"{"state":"held"}"#)
        #expect(first.calls == [])
        let after = try #require(first.next)
        let rest = try page(after, filter: #"{"state":"waiting"}"#)
        #expect(rest.calls == names(2_049...2_050))
        #expect(rest.next == nil)
    }

    @Test func `one page is enough for as many as are looked at`() throws {
        for call in 1...2_048 { a.ring(call) }
        #expect(try page(filter: #"{"state":"held"}"#).next == nil)
    }

    @Test func `a smaller frame makes smaller pages`() throws {
        let host = MemoryBroker {
            $0.limits.frame.frameOutBytes = 4_096
            $0.makeRoom(for: 100)
        }
        let (a, user) = (host.provider(), host.controller())
        for call in 1...16 { a.ring(call) }
        var (count, after) = (0, "")
        repeat {
            let lines = user.ask(Frame.request(1, "call.list", "{\(after)}"))
            #expect(lines[0].utf8.count < 4_096)
            let result = try #require(try JSONTree(lines[0])["result"])
            count += result["calls"]?.elements.count ?? 0
            after = result["next"]?.string.map { #""after":"\#($0)""# } ?? ""
        } while !after.isEmpty
        #expect(count == 16)
    }

    @Test func `a limit ends a page before the frame does`() throws {
        for call in 1...10 { a.ring(call) }
        let first = try page(limit: 4)
        #expect(first.calls == names(1...4))
        let second = try page(first.next, limit: 4)
        #expect(second.calls == names(5...8))
        let third = try page(second.next, limit: 4)
        #expect(third.calls == names(9...10))
        #expect(third.next == nil)
        let exact = try page(second.next, limit: 2)
        #expect(exact.calls == names(9...10))
    }

    @Test func `calls that end between two pages are neither missed nor listed`() throws {
        for call in 1...20 { a.ring(call) }
        let first = try page(limit: 5)
        // Those listed already, the very last of them, the next, and some behind.
        end([1, 4, 5, 6, 7, 15])
        a.ring(21)
        let second = try page(first.next, limit: 5)
        #expect(second.calls == names(8...12))
        end(8...20)
        let third = try page(second.next, limit: 5)
        #expect(third.calls == ["c21"])
        #expect(third.next == nil)
    }

    @Test func `a page behind everything is empty`() throws {
        for call in 1...4 { a.ring(call) }
        let first = try page(limit: 2)
        end(1...4)
        let second = try page(first.next)
        #expect(second.calls == [])
        #expect(second.next == nil)
    }

    @Test func `a filter is about provider, state and direction, all of it`() throws {
        let b = host.provider("org.b")
        host.talk(1, of: a, by: user)
        a.ring(2)
        b.ring(3)
        user.post(
            "call.start",
            #"{"call":"c4","provider":"org.b","remote":{"type":"phone","value":"1"}}"#)
        host.forget()
        #expect(try page(filter: "{}").calls.count >= 3)
        #expect(try page(filter: #"{"provider":"org.a"}"#).calls == names([1, 2]))
        #expect(try page(filter: #"{"state":"active"}"#).calls == ["c1"])
        #expect(
            try page(filter: #"{"provider":"org.b","direction":"incoming"}"#).calls == ["c3"])
        #expect(try page(filter: #"{"provider":"org.nobody"}"#).calls == [])
        #expect(try page(filter: #"{"state":"ended"}"#).calls == [])
    }

    @Test func `a filter and pages go together`() throws {
        let b = host.provider("org.b")
        for call in stride(from: 1, through: 20, by: 2) {
            a.ring(call)
            b.ring(call + 1)
        }
        let first = try page(limit: 3, filter: #"{"provider":"org.b"}"#)
        #expect(first.calls == names([2, 4, 6]))
        let second = try page(first.next, limit: 3, filter: #"{"provider":"org.b"}"#)
        #expect(second.calls == names([8, 10, 12]))
    }

    @Test(arguments: [
        (#"{"limit":0}"#, "out_of_range field=/limit"),
        (#"{"limit":1001}"#, "out_of_range field=/limit"),
        (#"{"after":""}"#, "too_short field=/after"),
        (#"{"after":7}"#, "wrong_type field=/after"),
        (#"{"filter":{"state":"flying"}}"#, "not_one_of field=/filter/state"),
        (#"{"filter":{"name":"Ada"}}"#, "unknown_member field=/filter/name"),
        (#"{"filter":[]}"#, "wrong_type field=/filter"),
    ])
    func `what is wrong is named`(params: String, fault: String) {
        #expect(user.tell("call.list", params) == ["1: -32602 \(fault)"])
    }

    @Test func `a place in the list that the broker did not make is refused`() {
        let line = user.tell("call.list", #"{"after":"nonsense"}"#).joined()
        #expect(line.hasPrefix("1: -32602 "))
        #expect(line.hasSuffix("field=/after"))
    }

    @Test func `one call is got as it is listed`() throws {
        a.ring(1)
        user.post("call.list")
        let listed = try JSONTree(user.lines().joined())["result"]?["calls"]?.elements.first
        user.post("call.get", #"{"call":"c1"}"#)
        let got = try JSONTree(user.lines().joined())["result"]
        #expect(got?.without("seq") == listed)
        #expect(user.tell("call.get", #"{"call":"c2"}"#) == ["3: -32004 unknown_call rule=31"])
        end([1])
        #expect(user.tell("call.get", #"{"call":"c1"}"#) == ["4: -32004 call_ended rule=31"])
        #expect(user.tell("call.get", "{}") == ["5: -32602 missing_member field=/call"])
    }

    @Test func `providers are listed page by page too`() throws {
        for number in 1...5 { _ = host.provider("org.p\(number)") }
        var (names, after): ([String], String?) = ([], nil)
        repeat {
            user.post("provider.list", #"{"limit":2\#(after.map { #","after":"\#($0)""# } ?? "")}"#)
            let result = try #require(try JSONTree(user.lines().joined())["result"])
            names += (result["providers"]?.elements ?? []).compactMap { $0["provider"]?.string }
            after = result["next"]?.string
        } while after != nil
        #expect(names == ["org.a", "org.p1", "org.p2", "org.p3", "org.p4", "org.p5"])
    }

    @Test func `hundreds of providers fill more than one frame`() throws {
        for number in 1...300 { _ = host.provider("org.p\(number)") }
        var (count, pages, after): (Int, Int, String?) = (0, 0, nil)
        repeat {
            user.post("provider.list", after.map { #"{"after":"\#($0)"}"# } ?? "{}")
            let result = try #require(try JSONTree(user.lines().joined())["result"])
            count += result["providers"]?.elements.count ?? 0
            pages += 1
            after = result["next"]?.string
        } while after != nil
        #expect(count == 301)
        #expect(pages > 1)
    }

    // MARK: - Calls that are over

    private func listed(_ members: String) -> [String] {
        user.tell("call.list", "{\(members)}").map { String($0.drop { $0 != " " }.dropFirst()) }
    }

    @Test func `calls that are over are listed in their places, if one wants them`() {
        for call in 1...3 { a.ring(call) }
        end([2])
        #expect(listed("") == ["[c1 ringing, c3 waiting]"])
        #expect(
            listed(#""include_ended":true"#)
                == ["[c1 ringing, c2 ended remote_ended, c3 waiting]"])
        #expect(
            listed(#""include_ended":true,"filter":{"state":"ended"}"#)
                == ["[c2 ended remote_ended]"])
        #expect(listed(#""filter":{"state":"ended"}"#) == [#"{"calls":[]}"#])
    }

    @Test func `a snapshot has them, too, and its pages go on with them`() throws {
        for call in 1...600 { a.ring(call) }
        end(1...600)
        let line = user.tell("events.subscribe", #"{"topics":["call.*"],"include_ended":true}"#)
        let text = line.joined()
        #expect(text.contains("c1,") || text.contains(#""call":"c1""#))
        let next = try #require(text.firstMatch(of: #/next":"(\d+)"/#)?.1)
        let page = listed(#""include_ended":true,"after":"\#(next)""#).joined()
        #expect(page.hasPrefix("[c\((Int(next) ?? 0) + 1) ended remote_ended, "))
        #expect(listed("") == [#"{"calls":[]}"#])
    }

    @Test func `ten minutes later they are forgotten`() {
        a.ring(1)
        end([1])
        host.turn(afterMS: 599_999)
        host.forget()
        #expect(listed(#""include_ended":true"#) == ["[c1 ended remote_ended]"])
        host.turn(afterMS: 1)
        host.forget()
        #expect(listed(#""include_ended":true"#) == [#"{"calls":[]}"#])
    }

    @Test func `the latest 1,024 are kept`() throws {
        for call in 1...1_030 {
            a.ring(call)
            end([call])
        }
        let list = listed(#""include_ended":true,"limit":2"#).joined()
        #expect(list.hasPrefix("[c7 ended remote_ended, c8 ended remote_ended]"))
    }

    @Test func `a call that was never listed is not listed afterwards`() {
        _ = a.tell(
            "call.report_missed",
            #"{"call":"c1","remote":{"type":"phone","value":"1"},"reason":"unanswered","at_ms":1}"#)
        #expect(listed(#""include_ended":true"#) == [#"{"calls":[]}"#])
    }
}
