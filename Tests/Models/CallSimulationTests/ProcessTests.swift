import Foundation
import Testing

/// The tool, as a program.
struct ProcessTests {
    /// Every process hashes in another way: if the arbiter took an order from a hash, its effects
    /// would come in another order in the next process (I10).
    @Test func `two processes come to the same effects`() throws {
        let arguments = ["--events", "8000", "--seed", "11"]
        let lines = try (1...2).map { _ in try digest(arguments) }
        #expect(lines[0].hasPrefix("digest: "))
        #expect(lines[0] == lines[1])
        let others = try digest(["--events", "8000", "--seed", "12"])
        #expect(others != lines[0])
    }

    private func digest(_ arguments: [String]) throws -> String {
        let lines = try run(arguments).split(separator: "\n").map(String.init)
        return try #require(lines.first { $0.hasPrefix("digest: ") })
    }

    private func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("Simulate")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
