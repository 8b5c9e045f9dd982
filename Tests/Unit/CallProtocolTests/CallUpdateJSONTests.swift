import BrokerJSON
import CallModel
import CallProtocol
import Testing

struct CallUpdateJSONTests {
    private func update(_ json: String) throws -> CallUpdate {
        try withJSON(json) { CallUpdate(checked: $0) }
    }

    @Test func `what is absent stays as it is`() throws {
        #expect(try update("{}") == CallUpdate())
        #expect(try update(#"{"call":"x","x_more":true}"#) == CallUpdate())
    }

    @Test func `everything that can be said is read`() throws {
        var expected = CallUpdate()
        expected.remote = .set(Handle(kind: .phone, value: "+15550100"))
        expected.displayName = .set("A")
        expected.hasVideo = .set(true)
        expected.supportsHolding = .set(false)
        expected.supportsGrouping = .set(false)
        expected.supportsUngrouping = .set(true)
        expected.supportsDTMF = .set(false)
        expected.isRemoteHeld = .set(true)
        expected.hasEarlyMedia = .set(true)
        expected.priority = .set(.priorityCaller)
        expected.line = .set("home")
        expected.forwardedFrom = .set(Handle(kind: .phone, value: "+15550101"))
        expected.verification = .set(.failed)
        expected.externalID = .set("1@example.org")
        let json = #"""
            {"remote":{"type":"phone","value":"+15550100"},"display_name":"A","has_video":true,
            "supports_holding":false,"supports_grouping":false,"supports_ungrouping":true,
            "supports_dtmf":false,"remote_held":true,"priority":"priority_caller",
            "has_early_media":true,"line":"home","verification":"failed",
            "forwarded_from":{"type":"phone","value":"+15550101"},"external_id":"1@example.org"}
            """#
        #expect(try update(json) == expected)
    }

    @Test func `null clears`() throws {
        var expected = CallUpdate()
        expected.remote = .cleared
        expected.displayName = .cleared
        expected.hasVideo = .cleared
        expected.supportsHolding = .cleared
        expected.supportsGrouping = .cleared
        expected.supportsUngrouping = .cleared
        expected.supportsDTMF = .cleared
        expected.isRemoteHeld = .cleared
        expected.priority = .cleared
        (expected.hasEarlyMedia, expected.line) = (.cleared, .cleared)
        (expected.forwardedFrom, expected.verification) = (.cleared, .cleared)
        expected.externalID = .cleared
        let json = #"""
            {"remote":null,"display_name":null,"has_video":null,"supports_holding":null,
            "supports_grouping":null,"supports_ungrouping":null,"supports_dtmf":null,
            "remote_held":null,"priority":null,"has_early_media":null,"line":null,
            "forwarded_from":null,"verification":null,"external_id":null}
            """#
        #expect(try update(json) == expected)
    }

    @Test func `what cannot be read changes nothing`() throws {
        let json = #"{"display_name":7,"has_video":"yes","priority":"tomorrow","remote_held":[]}"#
        #expect(try update(json) == CallUpdate())
    }

    @Test func `a new call has its defaults, without name and address`() {
        #expect(
            JSONWriter.text { $0.members(of: CallProperties()) }
                == #""has_video":false,"supports_holding":true,"supports_grouping":true,"#
                + #""supports_ungrouping":true,"supports_dtmf":true,"remote_held":false,"#
                + #""priority":"normal""#)
    }

    @Test func `name and address come first`() {
        var properties = CallProperties()
        properties.remote = Handle(kind: .generic, value: "x")
        properties.displayName = "A \"B\""
        properties.hasVideo = true
        properties.priority = .emergencyCallback
        #expect(
            JSONWriter.text { $0.members(of: properties) }
                == #""remote":{"type":"generic","value":"x"},"display_name":"A \"B\"","#
                + #""has_video":true,"supports_holding":true,"supports_grouping":true,"#
                + #""supports_ungrouping":true,"supports_dtmf":true,"remote_held":false,"#
                + #""priority":"emergency_callback","video":"both""#)
    }

    @Test func `the properties of a call read back as an update that makes the same`() throws {
        var properties = CallProperties()
        properties.remote = Handle(kind: .other("sip"), value: "a@example.org")
        properties.supportsHolding = false
        properties.isRemoteHeld = true
        properties.priority = .background
        (properties.hasEarlyMedia, properties.line) = (true, "home")
        properties.forwardedFrom = Handle(kind: .email, value: "a@example.org")
        (properties.verification, properties.externalID) = (.passed, "1@example.org")
        let text = JSONWriter.text { writer in writer.object { $0.members(of: properties) } }
        var copy = CallProperties()
        _ = copy.apply(try update(text))
        #expect(copy == properties)
    }

    @Test func `what changed, and why a call was missed, are lists of words`() {
        #expect(
            JSONWriter.text { $0.member("changed", [.priority, .state] as ChangedProperties) }
                == #""changed":["state","priority"]"#)
        #expect(
            JSONWriter.text { $0.member("missed_reasons", [.emergency] as MissedReasons) }
                == #""missed_reasons":["emergency"]"#)
        #expect(JSONWriter.text { $0.member("a", [] as MissedReasons) } == #""a":[]"#)
    }
}
