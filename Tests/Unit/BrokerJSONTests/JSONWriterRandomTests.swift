import BrokerJSON
import TestSupport
import Testing

struct JSONWriterRandomTests {
    @Test func `random trees survive writing, reading and writing again`() throws {
        var random = SeededRandom(for: "random trees")
        let limits = JSONLimits(depth: 8, values: 100_000)
        for round in 0..<1_500 {
            let tree = Tree.random(depth: 5, using: &random)
            let text = tree.written
            let document = try JSONDocument(parsing: text, limits: limits)
            try #require(
                Tree(document.root) == tree, "seed \(random.seed), round \(round): \(tree)")
            var writer = JSONWriter()
            writer.value(document.root)
            try #require(
                writer.bytes == text, "seed \(random.seed), round \(round): \(tree)")
        }
    }

    @Test func `a frame never holds a line end or another control character`() {
        var random = SeededRandom(for: "frames of one line")
        for _ in 0..<300 {
            let text = Tree.random(depth: 4, using: &random).written
            #expect(text.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "seed \(random.seed)")
        }
    }

    @Test func `the reference grammar reads what was written`() throws {
        var random = SeededRandom(for: "written trees")
        for round in 0..<500 {
            let tree = Tree.random(depth: 4, using: &random)
            try #require(
                ReferenceGrammar.parse(
                    tree.written, limits: JSONLimits(depth: 64, values: 100_000)) == tree,
                "seed \(random.seed), round \(round): \(tree)")
        }
    }
}
