import BrokerJSON
import BrokerRPC
import CallProtocol
import Testing

struct HelloTests {
    private let hello = MethodTable.standard.find("broker.hello")

    @Test func `the least hello is an observer without a name for itself`() throws {
        try withHello(
            #"{"protocol":{"min":1,"max":3},"client":{"name":"a","version":"2"}}"#
        ) { hello in
            #expect(hello.protocolMajors == (1, 3))
            #expect(hello.clientName == "a")
            #expect(hello.clientVersion == "2")
            #expect(hello.roles == ["observer"])
            #expect(hello.identity == nil)
            #expect(hello.credential == nil)
            #expect(hello.resume == nil)
        }
    }

    @Test func `everything that can be said is read`() throws {
        let text = #"""
            {"protocol":{"min":0,"max":1000000},
            "client":{"name":"a","version":"2","url":"https://example.org"},
            "roles":["provider","tomorrow"],"identity":"org.example.a","credential":"secret",
            "resume":{"session":"6F3C2F0E-6D0C-4D6A-9F0A-0C4B1F0D7A11","secret":"AbC"}}
            """#
        try withHello(text) { hello in
            #expect(hello.protocolMajors == (0, 1_000_000))
            #expect(hello.roles == ["provider", "tomorrow"])
            #expect(hello.identity == "org.example.a")
            #expect(hello.credential == "secret")
            #expect(hello.resume?.session == "6f3c2f0e-6d0c-4d6a-9f0a-0c4b1f0d7a11")
            #expect(hello.resume?.secret == "AbC")
        }
    }

    @Test func `an empty list of roles asks for none`() throws {
        try withHello(
            #"{"protocol":{"min":1,"max":1},"client":{"name":"a","version":"2"},"roles":[]}"#
        ) { #expect($0.roles == []) }
    }

    @Test(arguments: [
        Mistake("", "missing_member /protocol"),
        Mistake(#""protocol":1"#, "wrong_type /protocol"),
        Mistake(#""protocol":{"min":1}"#, "missing_member /protocol/max"),
        Mistake(#""protocol":{"min":-1,"max":1}"#, "out_of_range /protocol/min"),
        Mistake(#""protocol":{"min":1,"max":1000001}"#, "out_of_range /protocol/max"),
        Mistake(#""protocol":{"min":1,"max":1}"#, "missing_member /client"),
        Mistake(client: #""name":"a""#, "missing_member /client/version"),
        Mistake(client: #""name":"","version":"1""#, "too_short /client/name"),
        Mistake(client: #""name":"a","version":"1","pid":1"#, "unknown_member /client/pid"),
        Mistake(more: #""roles":"admin""#, "wrong_type /roles"),
        Mistake(more: #""roles":["admin",7]"#, "wrong_type /roles/1"),
        Mistake(more: #""roles":[""]"#, "too_short /roles/0"),
        Mistake(more: #""roles":[1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7]"#, "too_many /roles"),
        Mistake(more: #""identity":"phone""#, "wrong_form /identity"),
        Mistake(more: #""credential":"""#, "too_short /credential"),
        Mistake(more: #""resume":{"session":"1","secret":"a"}"#, "wrong_form /resume/session"),
        Mistake(more: #""role":["admin"]"#, "unknown_member /role"),
    ])
    fileprivate func `what is wrong with a hello is said and pointed at`(mistake: Mistake) throws {
        let hello = try #require(hello)
        try withJSON("{\(mistake.members)}") { params in
            let fault = #expect(throws: SchemaFault.self) { try hello.check(params) }
            #expect(fault.map { "\($0.reason.rawValue) \($0.pointer)" } == mistake.reasonAndPlace)
        }
    }

    @Test func `the words for a denial are those of the protocol`() {
        #expect(
            HelloResult.Denial.allCases.map(\.rawValue) == ["unknown_role", "not_granted", "taken"])
    }

    private func withHello(_ text: String, _ body: (HelloParams) -> Void) throws {
        let hello = try #require(hello)
        try withJSON(text) { params in
            try hello.check(params)
            body(HelloParams(checked: params))
        }
    }
}

/// A hello that is wrong in one place.
private struct Mistake: CustomTestStringConvertible {
    let members: String
    let reasonAndPlace: String

    init(_ members: String, _ reasonAndPlace: String) {
        self.members = members
        self.reasonAndPlace = reasonAndPlace
    }

    init(client: String, _ reasonAndPlace: String) {
        self.init(#""protocol":{"min":1,"max":1},"client":{\#(client)}"#, reasonAndPlace)
    }

    init(more: String, _ reasonAndPlace: String) {
        let client = #""protocol":{"min":1,"max":1},"client":{"name":"a","version":"1"}"#
        self.init(client + "," + more, reasonAndPlace)
    }

    var testDescription: String {
        reasonAndPlace
    }
}
