import BrokerJSON
import BrokerRPC
import CallProtocol
import Testing

struct MethodTableTests {
    private let table = MethodTable.withTestMethods

    @Test func `names and rows are one to one`() {
        #expect(Set(table.methods.map(\.name)) == Set(MethodName.allCases))
        #expect(table.methods.count == MethodName.allCases.count)
    }

    @Test func `every name is found`() {
        for name in MethodName.allCases { #expect(table.find(name.rawValue)?.name == name) }
    }

    @Test func `a part of a name is nothing`() {
        for name in MethodName.allCases {
            for count in 0..<name.rawValue.utf8.count {
                let part = String(name.rawValue.prefix(count))
                // "event" is a name and the beginning of others.
                #expect(table.find(part)?.name == MethodName(rawValue: part))
            }
            #expect(table.find(String(name.rawValue.dropFirst())) == nil)
        }
    }

    @Test func `a name with a byte more, or another byte, is nothing`() {
        for name in MethodName.allCases {
            for byte in UInt8.min...UInt8.max {
                #expect(find(Array(name.rawValue.utf8) + [byte]) == nil)
                #expect(find([byte] + Array(name.rawValue.utf8)) == nil)
            }
            for index in name.rawValue.utf8.indices {
                var bytes = Array(name.rawValue.utf8)
                bytes[index.utf16Offset(in: name.rawValue)] ^= 0x20
                #expect(find(bytes) == nil)
            }
        }
    }

    @Test(arguments: [
        "", ".", "broker", "broker.", "broker.pinG", "BROKER.PING", "brökér.ping", "日本",
        "zzzz", "\u{7F}", "broker.ping ", "broker..ping", "broker.bookmark",
    ])
    func `what is no name is nothing`(text: String) {
        #expect(table.find(text) == nil)
    }

    @Test func `the methods of the test mode are there in test mode only`() {
        #expect(table.find("test.advance")?.name == .advance)
        #expect(table.find("test.settle")?.name == .awaitSettled)
        #expect(MethodTable.standard.find("test.advance") == nil)
        #expect(MethodTable.standard.find("test.settle") == nil)
        #expect(MethodTable.standard.methods.map(\.name) == table.methods.map(\.name).dropLast(2))
    }

    @Test func `params are checked against the row, and none are as good as an empty object`()
        throws
    {
        let ping = try #require(table.find("broker.ping"))
        try ping.check(nil)
        let describe = try #require(table.find("broker.describe"))
        #expect(
            throws: SchemaFault(
                reason: .missingMember, message: "is required", pointer: "/name")
        ) {
            try describe.check(nil)
        }
        try withJSON(#"{"name":"a","nome":"b"}"#) { params in
            let unknown = SchemaFault(
                reason: .unknownMember, message: "is not a member of this method",
                pointer: "/nome")
            #expect(throws: unknown) { try describe.check(params) }
        }
    }

    private func find(_ bytes: [UInt8]) -> Method? {
        bytes.withUnsafeBufferPointer { table.find($0) }
    }
}

/// The rows in `MethodTable+Session.swift` and the files beside it.
struct MethodRowTests {
    private static let table = MethodTable.withTestMethods

    @Test(arguments: MethodName.allCases)
    func `a row says what the method is for`(name: MethodName) throws {
        let method = try row(name)
        #expect(!method.summary.isEmpty && !method.summary.hasSuffix("."))
        #expect(method.details.hasSuffix("."))
        #expect(method.since == "0.1")
        let summaries = method.params.map(\.summary)
        #expect(!summaries.contains(""))
    }

    @Test(arguments: MethodName.allCases)
    func `an example's params pass the check of its own row`(name: MethodName) throws {
        let method = try row(name)
        #expect(!method.examples.isEmpty)
        for example in method.examples {
            #expect(!example.name.isEmpty)
            try withJSON(example.params) { try method.check($0) }
        }
    }

    @Test(arguments: MethodName.allCases)
    func `an example's result passes the schema of the result`(name: MethodName) throws {
        let method = try row(name)
        for example in method.examples {
            switch method.form {
            case .request(let members, _):
                let result = try #require(example.result)
                #expect(try fault(.object(members), result) == nil)
            case .document, .notification: #expect(example.result == nil)
            }
        }
    }

    @Test(arguments: MethodName.allCases)
    func `the table agrees with the protocol's list`(name: MethodName) throws {
        let method = try row(name)
        let line =
            "\(method.name.rawValue) \(method.direction.rawValue) "
            + (method.isNotification ? "notification" : "request")
            + (method.stage == .always ? " always" : "")
            + method.roles.roles.map { " \($0.rawValue)" }.joined()
            + (method.isAllowedInBatch ? "" : " alone")
        #expect(Self.list.contains(line))
        #expect(Self.list.count == MethodName.allCases.count)
    }

    @Test(arguments: MethodName.allCases)
    func `a method that needs a role may be refused for lack of it`(name: MethodName) throws {
        let method = try row(name)
        guard method.direction == .toBroker, !method.isNotification else { return }
        // A hello may come with a bad credential.
        let mayBeRefused = !method.roles.isEmpty || name == .hello
        #expect(method.errors.contains(.permissionDenied) == mayBeRefused)
    }

    @Test func `a method is open to each of its roles, and one without to everybody`() throws {
        let list = try row(.listCalls)
        for role in Role.allCases {
            #expect(
                list.isOpen(to: RoleSet(role)) == [.controller, .observer, .ui].contains(role))
        }
        #expect(list.isOpen(to: [.admin, .observer]))
        #expect(!list.isOpen(to: []))
        #expect(try row(.ping).isOpen(to: []))
    }

    @Test(arguments: MethodName.allCases)
    func `no member is named like a part of a message`(name: MethodName) throws {
        let method = try row(name)
        var members = method.params
        if case .request(let result, _) = method.form { members += result }
        let reserved = ["jsonrpc", "id", "method", "params", "result", "error"]
        #expect(Schema.object(members).allNames.isDisjoint(with: reserved))
    }

    private func row(_ name: MethodName) throws -> Method {
        try #require(Self.table.find(name.rawValue))
    }

    private static let list = [
        "broker.hello to_broker request always alone",
        "broker.ping both request always",
        "broker.info to_broker request",
        "broker.describe to_broker request always",
        "rpc.discover to_broker request always",
        "broker.cancel both notification",
        "broker.progress both notification",
        "broker.log to_broker notification",
        "broker.warning to_client notification",
        "broker.goodbye both notification always",
        "broker.stats to_broker request admin",
        "broker.shutdown to_broker request admin",
        "broker.metrics to_broker request admin",
        "broker.dump to_broker request admin",
        "broker.backup to_broker request admin",
        "connection.list to_broker request admin",
        "provider.register to_broker request provider",
        "provider.update to_broker request provider",
        "provider.unregister to_broker request provider",
        "provider.list to_broker request controller observer ui",
        "call.report_incoming to_broker request provider",
        "call.report_alerting to_broker request provider",
        "call.report_video_request to_broker request provider",
        "call.report_text_request to_broker request provider",
        "call.report_text to_broker request provider",
        "call.report_connecting to_broker request provider",
        "call.report_connected to_broker request provider",
        "call.report_held to_broker request provider",
        "call.report_muted to_broker request provider",
        "call.report_group to_broker request provider",
        "call.report_missed to_broker request provider",
        "call.report_update to_broker request provider",
        "call.report_ended to_broker request provider",
        "call.report_external to_broker request provider",
        "call.report_quality to_broker request provider",
        "call.report_participants to_broker request provider",
        "provider.perform to_client request provider",
        "provider.execute to_client request provider",
        "action.settle to_broker request provider",
        "provider.timed_out to_client notification provider",
        "provider.reset to_client notification provider",
        "audio.activated to_client notification provider",
        "audio.deactivated to_client notification provider",
        "call.presentation to_client notification provider",
        "provider.authorization_changed to_client notification provider",
        "provider.send_text to_client request provider",
        "participant.change to_client request provider",
        "screener.check to_client request screener",
        "directory.lookup to_client request directory",
        "directory.put_entries to_broker request directory admin",
        "directory.change_entries to_broker request directory admin",
        "directory.clear to_broker request directory admin",
        "directory.list to_broker request controller observer directory ui admin",
        "directory.enable to_broker request controller admin",
        "block.add to_broker request controller admin",
        "block.remove to_broker request controller admin",
        "block.list to_broker request controller observer ui admin",
        "contact.put to_broker request controller admin",
        "contact.remove to_broker request controller admin",
        "contact.list to_broker request controller observer ui admin",
        "history.list to_broker request controller observer ui admin",
        "history.sum to_broker request controller observer ui admin",
        "history.remove to_broker request controller admin",
        "history.clear to_broker request controller admin",
        "history.mark_seen to_broker request controller admin",
        "history.import to_broker request controller admin",
        "transaction.request to_broker request controller ui",
        "call.start to_broker request controller ui",
        "call.answer to_broker request controller ui",
        "call.pull to_broker request controller ui",
        "call.end to_broker request controller ui",
        "call.set_held to_broker request controller ui",
        "call.set_muted to_broker request controller ui",
        "call.set_group to_broker request controller ui",
        "call.play_dtmf to_broker request controller ui",
        "call.set_endpoint to_broker request controller ui",
        "call.set_video to_broker request controller ui",
        "call.set_text to_broker request controller ui",
        "call.send_text to_broker request controller ui",
        "call.transfer to_broker request controller ui",
        "call.attended_transfer to_broker request controller ui",
        "call.deflect to_broker request controller ui",
        "call.dial to_broker request controller ui",
        "call.swap to_broker request controller ui",
        "call.merge to_broker request controller ui",
        "call.split to_broker request controller ui",
        "call.press_button to_broker request controller ui",
        "call.prioritize to_broker request controller ui",
        "call.may_ring to_broker request controller ui",
        "call.continue_tones to_broker request controller ui",
        "call.silence to_broker request controller ui",
        "line.set_setting to_broker request controller ui",
        "line.change_setting to_client request provider",
        "push.deliver to_broker request controller",
        "push.received to_client request provider",
        "push.unreported to_client notification provider",
        "push.reset to_broker request admin",
        "push.set_token to_broker request controller",
        "push.token to_client notification provider",
        "audio.report_endpoints to_broker request audio",
        "audio.set_endpoint to_broker request controller ui",
        "audio.use_endpoint to_client request audio",
        "audio.handover to_client request observer",
        "call.list to_broker request controller observer ui",
        "call.get to_broker request controller observer ui",
        "call.explain to_broker request controller observer ui",
        "call.timeline to_broker request controller observer ui",
        "transaction.list to_broker request controller observer ui",
        "participant.list to_broker request controller observer ui",
        "participant.update to_broker request controller ui",
        "events.subscribe to_broker request controller observer ui alone",
        "events.unsubscribe to_broker request controller observer ui",
        "event to_client notification controller observer ui",
        "events.gap to_client notification controller observer ui",
        "host.get to_broker request controller observer ui",
        "ui.claim to_broker request ui",
        "ui.release to_broker request ui",
        "ui.present to_client request ui",
        "ui.dismiss to_client notification ui",
        "policy.get to_broker request controller observer ui admin",
        "policy.set to_broker request controller admin",
        "ui.ask to_client request ui",
        "question.list to_broker request admin",
        "question.answer to_broker request admin",
        "provider.request_authorization to_broker request provider",
        "grant.issue to_broker request admin",
        "grant.list to_broker request admin",
        "grant.revoke to_broker request admin",
        "plugin.list to_broker request admin",
        "plugin.start to_broker request admin",
        "plugin.stop to_broker request admin",
        "plugin.restart to_broker request admin",
        "plugin.enable to_broker request admin",
        "plugin.disable to_broker request admin",
        "plugin.rescan to_broker request admin",
        "plugin.logs to_broker request admin",
        "plugin.doctor to_broker request admin",
        "plugin.set_option to_broker request admin",
        "plugin.options_changed to_client notification",
        "test.advance to_broker request admin",
        "test.settle to_broker request admin",
    ]
}
