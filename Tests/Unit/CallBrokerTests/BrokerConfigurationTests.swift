import BrokerRPC
import CallBroker
import CallTesting
import Testing

struct BrokerConfigurationTests {
    @Test func `nothing said is nothing changed`() throws {
        var configuration = BrokerConfiguration()
        try configuration.merge(Array("{}".utf8))
        try configuration.merge(Array(" { \"limits\" : { } }\n".utf8))
        #expect(configuration == BrokerConfiguration())
        #expect(!configuration.isTestMode)
    }

    @Test func `limits are taken over`() throws {
        var configuration = BrokerConfiguration()
        let text = """
            {
              "limits": {
                "hello_ms": 50,
                "frame_bytes": 2048
              }
            }
            """
        try configuration.merge(Array(text.utf8))
        var expected = BrokerConfiguration()
        expected.limits.helloMS = 50
        expected.limits.frame.frameBytes = 2_048
        #expect(configuration == expected)
    }

    @Test(arguments: [
        ("", "line 1, column 1: expected a value, found the end of the text"),
        (
            "{\n  \"limits\": {,\n}",
            "line 2, column 14: expected a member name in quotes, found something else"
        ),
        ("{\"ä\":}", "line 1, column 6: expected a value, found something else"),
        ("{} {}", "line 1, column 4: expected the end of the text, found something else"),
        (
            "{\"limits\":{},\n\"limits\":{}}",
            "line 2, column 1: expected each member name once in an object"
        ),
        ("[]", "the file must hold one JSON object"),
        ("7", "the file must hold one JSON object"),
        (
            "{\"limit\":{}}",
            "unknown member limit in the configuration; the members are limits and policy"
        ),
        ("{\"limits\":[]}", "limits must be an object"),
        ("{\"limits\":{\"batch\":0}}", "limits.batch must be an integer from 1 to 1024"),
    ])
    func `what is wrong with a file is said with its place`(text: String, message: String) {
        var configuration = BrokerConfiguration()
        #expect(throws: ConfigurationError(message)) {
            try configuration.merge(Array(text.utf8))
        }
        #expect(configuration == BrokerConfiguration())
    }

    @Test func `nothing is taken over unless all of it is good`() {
        var configuration = BrokerConfiguration()
        #expect(throws: ConfigurationError.self) {
            try configuration.merge(Array(#"{"limits":{"batch":7},"other":1}"#.utf8))
        }
        #expect(configuration == BrokerConfiguration())
    }

    @Test func `a file that is too deep is refused`() {
        var configuration = BrokerConfiguration()
        let text = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        let refusal = ConfigurationError(
            "line 1, column 33: expected less nesting, found more than allowed")
        #expect(throws: refusal) {
            try configuration.merge(Array(text.utf8))
        }
    }
}
