internal import Foundation

/// One file of the transcripts that every shell plays.
package struct Story: CustomStringConvertible, Sendable {
    package let name: String

    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Unit/CallArbitrationTests/Transcripts")

    package init(name: String) {
        self.name = name
    }

    package static let all: [Story] =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".txt") }.sorted().map { Story(name: $0) }

    package var description: String {
        name
    }

    package func text() throws -> String {
        try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    }

    package func write(_ text: String) throws {
        try text.write(
            to: Self.folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
}
