import Testing

@testable import CallBrokerTool

/// The choice of a pager.
struct PagerTests {
    private static func command(_ environment: [String: String], installed: [String]) -> String? {
        Pager.command(environment) { installed.contains($0) }
    }

    @Test func `the user's pager comes first`() {
        let chosen = ["PAGER": "more -d", "PATH": "/usr/bin"]
        #expect(Self.command(chosen, installed: ["/usr/bin/less"]) == "more -d")
    }

    @Test func `less is used where it is installed`() {
        let path = ["PATH": "/bin:/usr/bin"]
        #expect(Self.command(path, installed: ["/usr/bin/less"]) == "less -FRX")
        #expect(Self.command(path, installed: []) == nil)
        #expect(Self.command([:], installed: ["/usr/bin/less"]) == nil)
    }

    @Test(arguments: ["", "cat"]) func `a user may want none`(pager: String) {
        let environment = ["PAGER": pager, "PATH": "/bin"]
        #expect(Self.command(environment, installed: ["/bin/less"]) == nil)
    }
}
