import Testing

/// Many at once, all of them real connections.
struct CrowdLoadTests {
    @Test(.enabled(if: descriptorLimit >= 12_000))
    func `a thousand providers and ten thousand observers, and everybody hears of a call`() throws {
        let daemon = try TestDaemon()
        let providers = try (0..<1_000).map { index in
            if index % 100 == 0 { _ = daemon.log }
            return try join(daemon, asProvider: index)
        }
        let observers = try (0..<10_000).map { index in
            // Every session is a line in the log, and somebody has to read them.
            if index % 100 == 0 { _ = daemon.log }
            return try join(daemon)
        }
        #expect(try daemon.stat("connections") == 11_001)

        // Every hundredth provider has a call that rings, and ends before the next.
        var numbers: [Int] = []
        for index in stride(from: 0, to: 1_000, by: 100) {
            let call = "ca110000-0000-4000-8000-00000000" + String(1_000 + index)
            try providers[index].send(
                line(
                    7, "call.report_incoming",
                    #"{"call":"\#(call)","remote":{"type":"phone","value":"7"}}"#))
            #expect(try providers[index].line()?.contains(#""id":7,"result""#) == true)
            try providers[index].send(
                line(8, "call.report_ended", #"{"call":"\#(call)","reason":"remote_ended"}"#))
            #expect(try providers[index].line()?.contains(#""id":8,"result""#) == true)
            numbers.append(1_000 + index)
        }
        var complete = 0
        for observer in observers {
            var heard: [Int] = []
            for _ in numbers {
                let event = try observer.line() ?? ""
                let match = event.firstMatch(
                    of: /"topic":"call.added","call":"[0-9a-f-]{32}([0-9]{4})"/)
                heard += match.flatMap { Int($0.1) }.map { [$0] } ?? []
            }
            if heard == numbers, observer.isSilent { complete += 1 }
        }
        #expect(complete == observers.count)
        #expect(providers.count { !$0.isSilent } == 0)
    }

    private func join(_ daemon: TestDaemon, asProvider index: Int? = nil) throws -> LineSocket {
        let socket = try LineSocket(daemon.socketPath)
        if let index {
            let roles = #""roles":["provider"],"identity":"org.example.p\#(index)""#
            try socket.send(
                line(1, "broker.hello", TestClient.hello(roles))
                    + line(
                        2, "provider.register", #"{"display_name":"P","handle_types":["phone"]}"#))
        } else {
            try socket.send(
                line(1, "broker.hello", TestClient.hello())
                    + line(2, "events.subscribe", #"{"topics":["call.added"],"snapshot":false}"#))
        }
        for id in 1...2 {
            let reply = try socket.line() ?? ""
            try #require(reply.contains(#""id":\#(id),"result""#), "\(reply)")
        }
        return socket
    }

    private func line(_ id: Int, _ method: String, _ params: String) -> [UInt8] {
        Array(
            #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#.utf8
                + [0x0A])
    }
}
