import BrokerJSON
import CallModel
import CallProtocol
import Testing

struct ProviderConfigurationJSONTests {
    private static let full = #"""
        {"display_name":"Soft phone","handle_types":["phone","sip"],"url_schemes":["tel","sip"],
        "supports_video":true,"max_call_groups":3,"max_calls_per_group":4,
        "includes_in_recents":false,"ringtone":"bell","icon":"phone",
        "action_deadlines":{"start":60000,"play_dtmf":1000},"ring_timeout_ms":30000,
        "grace_ms":0,"resume_when_freed":false,"takes_transactions":true,
        "app_process":"separate","kind":"adapter"}
        """#

    private func configuration(_ json: String) throws -> ProviderConfiguration {
        try withJSON(json) { ProviderConfiguration(checked: $0) }
    }

    private func written(_ provider: ProviderConfiguration) -> String {
        JSONWriter.text { writer in writer.object { $0.members(of: provider) } }
    }

    @Test func `the least registration has the defaults`() throws {
        let read = try configuration(#"{"display_name":"A","handle_types":["phone"]}"#)
        #expect(read == ProviderConfiguration(displayName: "A", handleKinds: [.phone]))
    }

    @Test func `everything that can be said is read`() throws {
        var expected = ProviderConfiguration(
            displayName: "Soft phone", handleKinds: [.phone, .other("sip")])
        expected.urlSchemes = ["tel", "sip"]
        expected.supportsVideo = true
        expected.maxCallGroups = 3
        expected.maxCallsPerGroup = 4
        expected.includesInRecents = false
        expected.ringtone = "bell"
        expected.icon = "phone"
        expected.actionDeadlinesMS = [.start: 60_000, .playDTMF: 1_000]
        expected.ringTimeoutMS = 30_000
        expected.graceMS = 0
        expected.resumesWhenFreed = false
        expected.takesTransactions = true
        expected.appIsSeparate = true
        expected.kind = .adapter
        #expect(try configuration(Self.full) == expected)
    }

    @Test func `it is written in the order of registering, and reads back the same`() throws {
        let text = written(try configuration(Self.full))
        #expect(text == Self.full.filter { $0 != "\n" })
        #expect(try configuration(text) == configuration(Self.full))
    }

    @Test func `what is written passes the check of registering`() throws {
        let register = try #require(MethodTable.standard.find("provider.register"))
        let least = ProviderConfiguration(displayName: "A", handleKinds: [.phone])
        for provider in [least, try configuration(Self.full)] {
            try withJSON(written(provider)) { try register.check($0) }
        }
    }

    @Test func `defaults are written, what has no value is left out`() {
        #expect(
            written(ProviderConfiguration(displayName: "A", handleKinds: []))
                == #"{"display_name":"A","handle_types":[],"url_schemes":[],"#
                + #""supports_video":false,"max_call_groups":2,"max_calls_per_group":5,"#
                + #""includes_in_recents":true,"action_deadlines":{},"resume_when_freed":true,"#
                + #""takes_transactions":false,"app_process":"self","kind":"app"}"#)
    }

    @Test func `an update changes what it has`() throws {
        var provider = try configuration(Self.full)
        try withJSON(
            #"{"max_call_groups":1,"app_process":"self","action_deadlines":{"end":2000}}"#
        ) { provider.merge(checked: $0) }
        var expected = try configuration(Self.full)
        expected.maxCallGroups = 1
        expected.appIsSeparate = false
        expected.actionDeadlinesMS = [.end: 2_000]
        #expect(provider == expected)
    }

    @Test func `an update without members changes nothing`() throws {
        var provider = try configuration(Self.full)
        try withJSON("{}") { provider.merge(checked: $0) }
        #expect(try provider == configuration(Self.full))
    }

    @Test func `null takes away what may be without a value`() throws {
        var provider = try configuration(Self.full)
        try withJSON(
            #"{"ringtone":null,"icon":null,"ring_timeout_ms":null,"grace_ms":null,"#
                + #""action_deadlines":null,"display_name":null,"max_call_groups":null}"#
        ) { provider.merge(checked: $0) }
        var expected = try configuration(Self.full)
        expected.ringtone = nil
        expected.icon = nil
        expected.ringTimeoutMS = nil
        expected.graceMS = nil
        expected.actionDeadlinesMS = [:]
        #expect(provider == expected)
    }

    @Test func `kinds that we do not know have no deadline`() throws {
        let read = try configuration(#"{"action_deadlines":{"teleport":5000,"end":"x"}}"#)
        #expect(read.actionDeadlinesMS == [:])
    }
}
