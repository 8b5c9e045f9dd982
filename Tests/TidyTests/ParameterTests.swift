import Testing

struct ParameterTests {
    /// A list that leaves out a parameter is an error of DocC, which only the pages of the site would report.
    @Test func `a list of parameters has each of them, and no other`() {
        for file in SourceTree.sources {
            for comment in Self.comments(in: file) where comment.documented != comment.declared {
                Issue.record(
                    "\(file.path):\(comment.line): documents \(comment.documented), has \(comment.declared)"
                )
            }
        }
    }

    @Test func `a declaration is read over several lines, without what its types have in them`() {
        let file = SourceTree.File(
            path: "x",
            lines: [
                "    /// Does it.", "    ///", "    /// - Parameters:", "    ///   - one: a thing.",
                "    ///     in two lines: of text.", "    ///   - two: another.",
                "    @discardableResult",
                "    func act(",
                "        _ one: [Int: Int], with two: (name: String) -> Void = { _ in }",
                "    ) async {",
            ])
        #expect(Self.comments(in: file).map(\.documented) == [["one", "two"]])
        #expect(Self.comments(in: file).map(\.declared) == [["one", "two"]])
    }

    private struct Comment {
        let line: Int
        let documented: [String]
        let declared: [String]
    }

    private static func comments(in file: SourceTree.File) -> [Comment] {
        file.lines.indices.compactMap { start in
            guard file.lines[start].hasSuffix("/// - Parameters:") else { return nil }
            let rest = file.lines[start...].map { $0.drop { $0 == " " } }
            let comment = rest.prefix { $0.hasPrefix("///") }
            return Comment(
                line: start + 1,
                documented: comment.filter { $0.hasPrefix("///   - ") }
                    .map { String($0.dropFirst(8).prefix { $0 != ":" }) },
                declared: parameters(
                    rest.dropFirst(comment.count).drop { !isDeclaration($0) }.joined(separator: " ")
                ))
        }
    }

    private static func isDeclaration(_ line: Substring) -> Bool {
        ["func ", "init(", "init?(", "init<", "subscript(", "case "].contains { line.contains($0) }
    }

    /// Returns the names inside the first parentheses of a declaration, but for those of types.
    private static func parameters(_ declaration: String) -> [String] {
        var names: [String] = []
        var words = ""
        var depth = 0
        for character in declaration.drop(while: { $0 != "(" }) {
            if depth == 1, character == ":" {
                names.append(String(words.split(separator: " ").last ?? ""))
            }
            switch character {
            case "(", "[", "{", "<": depth += 1
            case ")", "]", "}",
                ">" where !words.hasSuffix("-"):
                depth -= 1
            default: break
            }
            if depth == 0 { break }
            words =
                depth == 1 && (character == "," || character == "(")
                ? "" : words + String(character)
        }
        return names
    }
}
