import Testing

/// What apps would like to be allowed, listed and answered by the tool.
struct QuestionVerbTests {
    @Test func `the tool answers what a new app would like, and the app is told`() throws {
        let daemon = try TestDaemon(policy: #"{"new_providers":"ask"}"#)
        let app = try daemon.connectReady(
            #""roles":["provider"],"identity":"org.example.phone""#)
        _ = try app.request(
            "provider.register", #"{"display_name":"Phone","handle_types":["phone"]}"#)
        let list = try JSON(try tool(daemon, "question", "--json").output)
        #expect(list["provider"]?.string == "org.example.phone")
        #expect(list["subject"]?.string == "calls")
        #expect(list["executable"]?.string?.isEmpty == false)
        #expect(try tool(daemon, "question").output.contains("have calls"))
        let answer = try tool(daemon, "question", "answer", "1", "allow")
        #expect(answer.output == "answered\n")
        let told = try #require(try app.line())
        #expect(told.contains("provider.authorization_changed") && told.contains("authorized"))
        #expect(try tool(daemon, "question").output == "no questions\n")
        #expect(try tool(daemon, "question", "answer", "1", "deny").end == .exited(1))
    }

    private func tool(_ daemon: TestDaemon, _ arguments: String...) throws -> Tool {
        let process = try ChildProcess(
            [executablePath] + arguments, environment: ["BROKER_SOCKET": daemon.socketPath])
        return try Tool(finishing: process)
    }
}
