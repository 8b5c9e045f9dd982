import Foundation
import Testing

/// Apps that take pushes, as programs of their own, with a real broker and the tool as their server.
@Suite(.timeLimit(.minutes(30))) struct PushAppTests {
    private let folder: TemporaryFolder
    private let daemon: TestDaemon

    init() throws {
        folder = try TemporaryFolder()
        for style in ["tutorial", "legacy", "async", "mute", "second"] {
            try folder.write(
                """
                {"manifest":1,"identity":"org.example.\(style)","roles":["provider","controller"],\
                "exec":["\(ExampleApp.path(of: "PushPhone"))","\(style)"],"transport":"connect",\
                "start":"demand","env":{"CALLBROKER_IDENTITY":"org.example.\(style)"},\
                "provider":{"handle_types":["generic"],"push_types":["voip"]}}
                """, to: "org.example.\(style).plugin.json")
        }
        daemon = try TestDaemon(arguments: ["--plugin-dir", folder.path])
    }

    private func push(_ app: String, _ payload: String = "{}") throws -> Tool {
        try Tool("push", app, payload, "--wait", "--json", socketPath: daemon.socketPath)
    }

    @Test(arguments: [
        ("tutorial", #"{"callerName":"Ada"}"#, "Ada"),
        ("legacy", #"{"aps":{"alert":"Ada"}}"#, "Ada"),
        ("second", #"{"callerName":"Ada"}"#, "Ada"),
        ("async", #"{"caller":"Ada","id":"7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b01"}"#, "Ada"),
    ])
    func `a push starts the app, which reports a call that rings`(
        style: String, payload: String, caller: String
    ) throws {
        let run = try push("org.example.\(style)", payload)
        #expect(run.end == .exited(0), "\(run.errors)")
        #expect(try JSON(run.output)["reported_call"] == .boolean(true))
        let calls = try Tool("calls", "--json", socketPath: daemon.socketPath).output
        #expect(calls.contains(#""state":"ringing""#) && calls.contains(caller), "\(calls)")
    }

    @Test func `the provider of the call has the name, and answers`() throws {
        _ = try push("org.example.tutorial", #"{"callerName":"Ada"}"#)
        let providers = try Tool("providers", "--json", socketPath: daemon.socketPath).output
        #expect(providers.contains(#""display_name":"Tutorial""#), "\(providers)")
        #expect(providers.contains(#""push_types":["voip"]"#))
        #expect(try Tool("answer", socketPath: daemon.socketPath).end == .exited(0))
    }

    @Test func `an app that reports no call is counted, and logs Apple's words`() throws {
        let run = try push("org.example.mute", #"{"n":"1"}"#)
        #expect(run.end == .exited(1))
        let list = try Tool("providers", "--json", socketPath: daemon.socketPath).output
        #expect(list.contains(#""unreported_pushes":1"#))
        // Its lines come through a pipe of their own.
        let client = try daemon.connectReady(#""roles":["admin","observer"]"#)
        _ = try client.request("events.subscribe", #"{"topics":["plugin.log"]}"#)
        let words = "Killing app because it never posted an incoming call to the system after "
        let logs = try client.request(
            "plugin.logs", #"{"plugin":"org.example.mute"}"#, isAlone: false)
        var text = "\(logs.result ?? .null)"
        while !text.contains(words) { text += "\(try client.frame().params ?? .null)" }
    }

    @Test func `a push waits for the delegate`() throws {
        let app = try ExampleApp("PushPhone", "late", at: daemon.socketPath)
        let run = try Tool(
            "push", "local.PushPhone", #"{"n":"1"}"#, socketPath: daemon.socketPath)
        #expect(run.end == .exited(0), "\(run.errors)")
        app.press("delegate")
        try app.wait(for: "done delegate")
        try app.wait(for: "push 1")
    }

    @Test func `pushes go on when a provider comes and goes, until none are desired`() throws {
        let app = try ExampleApp("PushPhone", "late", at: daemon.socketPath)
        app.press("delegate")
        app.press("provider")
        try app.wait(for: "done provider")
        _ = try push("local.PushPhone", #"{"n":"1"}"#)
        try app.wait(for: "push 1")
        let observer = try daemon.connectReady(#""roles":["observer"]"#)
        _ = try observer.request(
            "events.subscribe", #"{"topics":["provider.*"],"snapshot":false}"#)
        app.press("invalidate")
        try app.wait(for: "done invalidate")
        try awaitEvent("provider.removed", observer)
        try awaitEvent("provider.added", observer)
        _ = try push("local.PushPhone", #"{"n":"2"}"#)
        try app.wait(for: "push 2")
        app.press("stop")
        try awaitEvent("provider.removed", observer)
    }

    private func awaitEvent(_ topic: String, _ observer: TestClient) throws {
        while try observer.frame().params?["topic"]?.string != topic {}
    }

    @Test func `the address of a gateway reaches the app, and is invalid without it`() throws {
        let app = try ExampleApp("PushPhone", "tutorial", at: daemon.socketPath)
        func hex(_ text: String) -> String {
            text.utf8.map { String(format: "%02x", $0) }.joined()
        }
        try app.wait(for: "token PKPushTypeVoIP " + hex("local.PushPhone"))
        let gateway = try daemon.connectReady(#""roles":["controller"]"#)
        let token = #"{"provider":"local.PushPhone","type":"voip","token":"mqtt:7"}"#
        _ = try gateway.request("push.set_token", token)
        try app.wait(for: "token PKPushTypeVoIP " + hex("mqtt:7"))
        _ = try gateway.request(
            "push.set_token", #"{"provider":"local.PushPhone","type":"voip","token":null}"#)
        try app.wait(for: "invalid PKPushTypeVoIP")
    }

    @Test func `the example rings by a push`() throws {
        let app = try ExampleApp("Speakerbox", daemon.socketPath)
        let run = try push("local.Speakerbox", #"{"handle":"+15550101"}"#)
        #expect(run.end == .exited(0), "\(run.errors)")
        try app.wait(for: "added: +15550101, incoming, connecting")
        #expect(try Tool("answer", socketPath: daemon.socketPath).end == .exited(0))
        try app.wait(for: "changed: +15550101, incoming, connected", "audio on")
    }
}
