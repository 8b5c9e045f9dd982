import CallProtocol
import Testing

struct LowercaseWordTests {
    @Test(arguments: ["a", "door", "door-bell", "d2", "d-2-", "d--x"])
    func `letters, digits and dashes are a word`(text: String) {
        #expect(text.isLowercaseWord(with: "-"))
    }

    @Test(arguments: [
        "", "-", "-door", "2", "Door", "dOor", "door_bell", "door bell", "türe", "a\u{334}",
        "a\r\n", "٣",
        "a٣",
    ])
    func `anything else is none`(text: String) {
        #expect(!text.isLowercaseWord(with: "-"))
    }
}
