import BrokerJSON
import Testing

struct JSONWriterTests {
    @Test func `members are separated by commas and nothing else`() {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("a", 1)
            writer.name("b")
            writer.array { writer in
                writer.value(true)
                writer.value("x")
                writer.object { _ in }
            }
        }
        #expect(writer.text == #"{"a":1,"b":[true,"x",{}]}"#)
    }
}
