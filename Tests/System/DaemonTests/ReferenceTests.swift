import Foundation
import Testing

/// `plugins/REFERENCE.md`, which is written from the method table.
struct ReferenceTests {
    private static func page() throws -> String {
        try String(contentsOfFile: repositoryPath + "/plugins/REFERENCE.md", encoding: .utf8)
    }

    @Test func `the reference is what the method table says`() throws {
        let run = try Tool("reference")
        #expect(run.end == .exited(0))
        let kept = try Self.page().split(separator: "\n", omittingEmptySubsequences: false)
        let made = run.output.split(separator: "\n", omittingEmptySubsequences: false)
        let different = zip(kept, made).first { $0 != $1 }
        #expect(
            kept.count == made.count && different == nil,
            "plugins/REFERENCE.md is stale: run make reference. First difference: \(different.map { "\($0)" } ?? "its length")"
        )
    }

    @Test func `the reference of the manifest is what its schema says`() throws {
        let kept = try contents(of: repositoryPath + "/plugins/MANIFEST.md")
        #expect(try Tool("reference", "--manifest").output == kept, "run make reference")
        let schema = try JSON(try Tool("describe", "manifest", "--json").output)
        for member in schema["properties"]?.names ?? [] {
            #expect(kept.contains("| `\(member)"), "\(member)")
        }
        #expect(schema["examples"]?.elements?.count == 6)
    }

    @Test func `each method and event has its place, and each link leads to one`() throws {
        let page = try Self.page()
        let headings = page.split(separator: "\n").filter { $0.hasPrefix("##") }
            .map { $0.drop { $0 == "#" }.dropFirst() }
        let daemon = try TestDaemon()
        let client = try daemon.connectReady()
        let reply = try client.request("rpc.discover", "{}")
        let methods = try #require(reply.result?["methods"]?.elements)
        let names = methods.compactMap { $0["name"]?.string }
        #expect(names.count > 60)
        for name in names { #expect(headings.contains { $0 == name }, "\(name)") }
        let anchors = Set(
            headings.map {
                $0.lowercased().replacing(".", with: "").replacing(" ", with: "-")
            })
        for link in page.matches(of: /\]\(#([^)]+)\)/) {
            #expect(anchors.contains(String(link.output.1)), "\(link.output.1)")
        }
    }

    @Test func `each frame of it is legal`() throws {
        let frames = try Self.page().split(separator: "\n").filter { $0.hasPrefix("{") }
        #expect(frames.count > 100)
        let run = try Tool("lint", "--json", input: frames.joined(separator: "\n") + "\n")
        // Each example begins to count anew.
        let faults = run.output.split(separator: "\n")
            .filter { !$0.contains(#""rule":"R2""#) && !$0.contains(#""rule":"R8""#) }
        #expect(faults == [])
    }
}
