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
                #expect(table.find(String(name.rawValue.prefix(count))) == nil)
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
        #expect(MethodTable.standard.find("test.advance") == nil)
        #expect(MethodTable.standard.methods.map(\.name) == table.methods.map(\.name).dropLast())
    }

    @Test func `params are checked against the row, and none are as good as an empty object`()
        throws
    {
        let ping = try #require(table.find("broker.ping"))
        try ping.check(nil)
        let describe = try #require(table.find("broker.describe"))
        #expect(
            throws: SchemaFault(
                reason: "missing_member", message: "is required", pointer: "/name")
        ) {
            try describe.check(nil)
        }
        try withJSON(#"{"name":"a","nome":"b"}"#) { params in
            let unknown = SchemaFault(
                reason: "unknown_member", message: "is no member of this method", pointer: "/nome")
            #expect(throws: unknown) { try describe.check(params) }
        }
    }

    private func find(_ bytes: [UInt8]) -> Method? {
        bytes.withUnsafeBufferPointer { table.find($0) }
    }
}

/// `MethodTable+Rows.swift`.
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
        "broker.log to_broker notification",
        "broker.warning to_client notification",
        "broker.goodbye both notification always",
        "broker.stats to_broker request admin",
        "test.advance to_broker request admin",
    ]
}
