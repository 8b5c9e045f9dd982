import Foundation

/// The files of this package, as text.
enum SourceTree {
    struct File {
        /// From the package's root, such as `Sources/BrokerJSON/JSONValue.swift`.
        let path: String
        let lines: [String]

        /// The target it belongs to: the first folder below the top that is not a room of `Tests`.
        var target: String {
            path.split(separator: "/").map(String.init).dropFirst()
                .first { !SourceTree.rooms.contains($0) } ?? ""
        }
    }

    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folders of `Tests` that have targets in them.
    static let rooms: Set = ["Unit", "Models", "System", "Apps", "Fuzzing"]

    static let sources = files(under: "Sources", suffix: ".swift")
    /// Without the code that is there to be as others write it.
    static let tests = files(under: "Tests", suffix: ".swift")
        .filter { file in
            !["CallKitApps", "CallKitCorpus", "ConversationCorpus", "LifeApp", "PushPhone"]
                .contains { file.target.hasPrefix($0) }
        }

    static func files(under folder: String, suffix: String) -> [File] {
        paths(under: folder).sorted().filter { $0.hasSuffix(suffix) }.map { path in
            File(
                path: "\(folder)/\(path)",
                lines: text("\(folder)/\(path)")
                    .split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        }
    }

    static func paths(under folder: String) -> [String] {
        let path = root.appendingPathComponent(folder).path
        return (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    }

    static func text(_ path: String) -> String {
        (try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)) ?? ""
    }
}

extension SourceTree.File {
    /// A function, initializer or accessor block: where it begins, what it is called, how long.
    struct Function: Equatable {
        let name: String
        let line: Int
        let length: Int
    }

    /// The functions of the file. The code is formatted, so a function ends at the first closing
    /// brace that stands as far to the right as its own first line.
    var functions: [Function] {
        lines.indices.compactMap { start in
            let text = lines[start]
            guard let name = Self.functionName(text), let end = end(ofBlockAt: start) else {
                return nil
            }
            return Function(name: name, line: start + 1, length: end - start - 1)
        }
    }

    private static func functionName(_ line: String) -> String? {
        let words = line.split(separator: " ").map(String.init)
        if line.trimmingCharacters(in: .whitespaces).hasPrefix("//") { return nil }
        if let index = words.firstIndex(of: "func"), index + 1 < words.count {
            return words[index + 1].prefix { $0 != "(" && $0 != "<" }.description
        }
        return words.contains { $0.hasPrefix("init(") || $0.hasPrefix("init?(") } ? "init" : nil
    }

    private func end(ofBlockAt start: Int) -> Int? {
        let indent = lines[start].prefix { $0 == " " }
        for index in (start + 1)..<max(start + 1, lines.count) {
            if lines[index] == indent + "}" { return index }
            let isOutside = !lines[index].isEmpty && !lines[index].hasPrefix(indent + " ")
            if isOutside, !lines[index].hasPrefix(indent + ")") { return nil }
        }
        return nil
    }
}
