import BrokerJSON
import CallProtocol
import Testing

struct StatsTests {
    @Test func `every counter is written under its own name`() {
        var stats = StatsResult()
        stats.connections = 1
        stats.connectionsAccepted = 2
        stats.connectionsRefused = 3
        stats.framesReceived = 4
        stats.framesSent = 5
        stats.framesBad = 6
        stats.requests = 7
        stats.notifications = 8
        stats.responsesIgnored = 9
        stats.errorsSent = 10
        stats.bytesReceived = 11
        stats.bytesSent = 12
        stats.bytesQueued = 13
        stats.timers = 14
        stats.turns = 15
        stats.longestTurnMS = 80
        stats.stalls = [StatsResult.Stall(what: "call.list", count: 2, longestMS: 80)]
        #expect(
            JSONWriter.text { $0.object { stats.write(to: &$0) } } == """
                {"connections":1,"connections_accepted":2,"connections_refused":3,\
                "frames_received":4,"frames_sent":5,"frames_bad":6,"requests":7,\
                "notifications":8,"responses_ignored":9,"errors_sent":10,"bytes_received":11,\
                "bytes_sent":12,"bytes_queued":13,"timers":14,"turns":15,\
                "longest_turn_ms":80,"stalls":[{"what":"call.list","count":2,"longest_ms":80}]}
                """)
    }

    @Test func `what is written passes the schema of the result`() throws {
        let stats = try #require(MethodTable.standard.find("broker.stats"))
        guard case .request(let members, _) = stats.form else {
            Issue.record("broker.stats is a request")
            return
        }
        let text = JSONWriter.text { $0.object { StatsResult().write(to: &$0) } }
        #expect(try fault(.object(members), text) == nil)
    }
}
