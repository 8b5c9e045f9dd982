import BrokerJSON
import BrokerRPC
import CallModel
import Testing

@testable import CallProtocol

struct DecodingTests {
    private static let methods = MethodTable.withTestMethods.methods
    private static let received = methods.filter { $0.direction != .toClient }.map(\.name)

    @Test(arguments: MethodName.allCases)
    func `a row that the broker receives is decoded as its form says`(name: MethodName) throws {
        let method = try row(name)
        switch method.decoding {
        case .toRequest: #expect(!method.isNotification && method.direction != .toClient)
        case .toNotification: #expect(method.isNotification && method.direction != .toClient)
        case nil: #expect(method.direction == .toClient)
        }
    }

    @Test(arguments: received)
    func `the examples of a method are decoded`(name: MethodName) throws {
        let method = try row(name)
        for example in method.examples {
            try withJSON(example.params) { try method.decode($0) }
        }
    }

    @Test(arguments: received)
    func `a missing member is named by the check, and never crashes the decoding`(
        name: MethodName
    ) throws {
        let method = try row(name)
        let example = try #require(method.examples.first)
        for member in method.params where member.isRequired {
            let rest = try withJSON(example.params) { Self.text(of: $0, without: "\(member.name)") }
            let missing = Self.missing("/\(member.name)")
            #expect(try withJSON(rest, method.faultOfCheck) == missing)
            let fault = try withJSON(rest, method.faultOfDecoding)
            #expect(fault == nil || fault == missing || fault == Self.missing(""))
        }
    }

    @Test(arguments: received)
    func `absent params are decoded, or a member of them is missing`(name: MethodName) throws {
        let method = try row(name)
        let fault = method.faultOfDecoding(nil)
        #expect(fault == nil || fault?.reason == .missingMember)
        if !method.params.contains(where: \.isRequired) { #expect(fault == nil) }
    }

    @Test func `an action of an unknown kind has none, and keeps its other members`() throws {
        try withJSON(#"{"kind":"fly","call":"\#(Sample.call)","choice":"answer"}"#) { element in
            let action = RequestedActionParams(checked: element)
            #expect(action.kind == nil)
            #expect(action.call != nil)
            #expect(action.choice == "answer")
        }
    }

    @Test func `a fault of an action's arguments is placed inside them`() throws {
        try withJSON(#"{"kind":"set_held","arguments":{"held":1}}"#) { element in
            let action = RequestedActionParams(checked: element)
            do throws(SchemaFault) {
                _ = try action.action(.setHeld)
                Issue.record("a number was read as a flag")
            } catch {
                #expect(error.pointer == "/arguments/held")
                #expect(error.reason == .wrongType)
            }
        }
    }

    @Test func `the options of a request are read`() throws {
        let text = """
            {"call":"\(Sample.call)","transaction":"\(Sample.transaction)","deadline_ms":700,\
            "dry_run":true,"on_conflict":"end","wait":"completed"}
            """
        try withJSON(text) { params in
            let options = try SplitParams(checked: params).options
            #expect(options.transaction == TransactionID(params["transaction"]))
            #expect(options.deadlineMS == 700)
            #expect(options.isDryRun && options.endsOnConflict && options.waitsForCompletion)
        }
    }

    @Test func `a refused request is found by whatever of its params is readable`() throws {
        try withJSON(#"{"transaction":7,"call":"\#(Sample.call)","uri":"tel:1"}"#) { params in
            let refused = RefusedParams(unchecked: params)
            #expect(refused.transaction == nil)
            #expect(refused.call != nil)
            #expect(refused.uri == "tel:1")
            #expect(!refused.isDryRun)
        }
    }

    private func row(_ name: MethodName) throws -> Method {
        try #require(MethodTable.withTestMethods.find(name.rawValue))
    }

    private static func missing(_ pointer: String) -> SchemaFault {
        SchemaFault(reason: .missingMember, message: "is required", pointer: pointer)
    }

    private static func text(of object: JSONValue, without member: String) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            object.forEachMember { name, value in
                let name = String(decoding: name, as: UTF8.self)
                guard name != member else { return }
                writer.name(name)
                writer.value(value)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension Method {
    /// Decodes params as the broker does after the check.
    fileprivate func decode(_ params: JSONValue?) throws(SchemaFault) {
        switch decoding {
        case .toRequest(let decode): _ = try decode(params)
        case .toNotification(let decode): _ = try decode(params)
        case nil: Issue.record("the broker does not receive \(name.rawValue)")
        }
    }

    fileprivate func faultOfDecoding(_ params: JSONValue?) -> SchemaFault? {
        do throws(SchemaFault) {
            try decode(params)
            return nil
        } catch {
            return error
        }
    }

    fileprivate func faultOfCheck(_ params: JSONValue?) -> SchemaFault? {
        do throws(SchemaFault) {
            try check(params)
            return nil
        } catch {
            return error
        }
    }
}
