import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// What users have chosen for plugins, where it cannot be read.
struct BrokerPluginChoicesTests {
    private typealias Stage = PluginHostStage

    private static let options = #""options":[{"option":"volume","type":"int","default":3}]"#

    private func stage(_ choices: String, asideFault: SocketError? = nil) -> Stage {
        Stage(
            ["org.bell": Stage.bell(Self.options)], choices: choices, asideFault: asideFault)
    }

    /// What was written to the broker's log.
    private func complaints(_ stage: Stage) -> [String] {
        stage.memory.log.lines.filter { $0.contains("plugin settings") }
    }

    private func setVolume(_ stage: Stage) throws {
        _ = try stage.ask(
            "plugin.set_option", #"{"plugin":"org.bell","option":"volume","value":5}"#)
    }

    @Test(
        arguments: [
            (#"{"version":1,"plugins":{"#, "line 1, column 25"),
            ("[]", "it is not an object"), (#"{"version":1}"#, "plugins is not an object"),
            (#"{"version":2,"plugins":{}}"#, "its version is not 1"),
            (#"{"plugins":{"org.bell":true}}"#, "the entry of org.bell is invalid"),
            (#"{"plugins":{"org.bell":{"disabled":1}}}"#, "the entry of org.bell is invalid"),
            (
                #"{"plugins":{"org.bell":{"disabled":true,"options":{"volume":{}}}}}"#,
                "the entry of org.bell is invalid"
            ),
        ])
    func `what cannot be read is kept aside, and nothing of it counts`(
        choices: String, reason: String
    ) throws {
        let stage = stage(choices)
        #expect(stage.keptAside == 1)
        let complaints = complaints(stage)
        #expect(complaints.count == 1)
        #expect(
            complaints.first?.contains(
                "cannot read plugin settings; using defaults "
                    + "(saved as /state/plugins.json.kept-1): \(reason)") == true, "\(complaints)")
        #expect(try stage.row()["state"] == .string("stopped"))
        try setVolume(stage)
        #expect(
            stage.kept == [
                #"{"version":1,"plugins":{"org.bell":{"options":{"volume":5}}}}"# + "\n"
            ])
    }

    @Test func `what is in the way is never written over`() throws {
        let stage = stage("oops", asideFault: SocketError(.unusable, "the disk is read-only"))
        let complaint = try #require(complaints(stage).first)
        #expect(complaint.contains("or rename (the disk is read-only)"))
        try setVolume(stage)
        #expect(try stage.row()["options"]?.elements.first?["value"] == .integer(5))
        #expect(stage.kept == [])
    }

    @Test(arguments: ["", #"{"version":1,"plugins":{}}"#])
    func `what can be read stays where it is`(choices: String) {
        let stage = stage(choices)
        #expect(stage.keptAside == 0)
        #expect(complaints(stage) == [])
    }
}
