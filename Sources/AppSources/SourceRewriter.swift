/// Replaces what Linux cannot compile in a Swift source: what needs Objective-C, and the names of
/// modules that a package cannot have here. Lines stay where they are, and so do columns but for
/// selectors; texts and comments are left alone.
///
/// | source | copy |
/// |---|---|
/// | `@objc`, `@objc(name)`, `@objcMembers`, `@nonobjc`, `@IBAction` and the like | spaces |
/// | `@UIApplicationMain` | `@main` |
/// | `#selector(method(_:))`, `#selector(self.method)` | `Selector("…", Self.method)` |
/// | `#selector(Type.method)` | `Selector("…", Type.method)` |
/// | `import os`, `import OSLog`, `import os.log` | `import UnifiedLogging` |
/// | `os.Logger` | `Logger` |
struct SourceRewriter {
    private static let attributes: Set<String> = [
        "objc", "objcMembers", "nonobjc", "IBAction", "IBOutlet", "IBDesignable", "IBInspectable",
        "IBSegueAction", "GKInspectable", "NSManaged",
    ]
    private static let mains: Set<String> = ["UIApplicationMain", "NSApplicationMain"]

    private let source: [Character]
    private var place = 0
    private var copy = ""

    init(_ source: String) {
        self.source = Array(source)
    }

    mutating func rewritten() -> String {
        while place < source.count { step() }
        return copy
    }

    private mutating func step() {
        if isAt("//") { return pass(through: lineEnd()) }
        if isAt("/*") { return pass(through: commentEnd()) }
        if let end = textEnd() { return pass(through: end) }
        switch source[place] {
        case "@": attribute()
        case "#" where word(at: place + 1) == "selector": selector()
        case let character where character.isLetter || character == "_": identifier()
        default: pass(through: place + 1)
        }
    }

    private mutating func pass(through end: Int) {
        copy += String(source[place..<end])
        place = end
    }

    // MARK: - Attributes and selectors

    private mutating func attribute() {
        let name = word(at: place + 1)
        var end = place + 1 + name.count
        if Self.mains.contains(name) {
            copy += "@main"
            place = end
        } else if Self.attributes.contains(name) {
            if end < source.count, source[end] == "(" { end = closing(end) }
            copy += String(source[place..<end].map { $0.isNewline ? $0 : " " })
            place = end
        } else {
            pass(through: end)
        }
    }

    private mutating func selector() {
        let open = place + 1 + "selector".count
        guard open < source.count, source[open] == "(" else { return pass(through: open) }
        let end = closing(open)
        let path = String(source[open + 1..<end - 1]).filter { !$0.isWhitespace }
        copy += "Selector(\"\(path)\", \(Self.method(path)))"
        place = end
    }

    /// A method by its type: that of `self`, unless the path names another one.
    private static func method(_ path: String) -> String {
        if path.hasPrefix("self.") { return "Self." + path.dropFirst("self.".count) }
        let name = path.prefix { $0 != "(" }
        return name.contains(".") ? path : "Self." + path
    }

    // MARK: - The module os

    /// `os` and `OSLog` are not modules here: other packages look for them, to use what only Apple's
    /// have.
    private mutating func identifier() {
        let name = word(at: place)
        let end = place + name.count
        if name == "import" {
            moduleImport(after: end)
        } else if name == "os", word(at: end + 1).first?.isLetter ?? false, source[end] == "." {
            place = end + 1
        } else {
            pass(through: end)
        }
    }

    private mutating func moduleImport(after end: Int) {
        let name = source[end...].dropFirst().prefix { $0.isLetter || $0 == "." }
        guard ["os", "OSLog", "os.log", "os.Logger"].contains(String(name)) else {
            return pass(through: end)
        }
        copy += "import UnifiedLogging"
        place = name.endIndex
    }

    // MARK: - What is where

    private func isAt(_ text: String) -> Bool {
        source[place...].starts(with: text)
    }

    private func word(at start: Int) -> String {
        guard start < source.count else { return "" }
        return String(source[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }

    private func lineEnd() -> Int {
        source[place...].firstIndex(where: \.isNewline) ?? source.count
    }

    /// The end of a comment, which can contain others.
    private func commentEnd() -> Int {
        var (index, depth) = (place, 0)
        while index < source.count {
            if source[index...].starts(with: "/*") {
                (index, depth) = (index + 2, depth + 1)
            } else if source[index...].starts(with: "*/") {
                (index, depth) = (index + 2, depth - 1)
                if depth == 0 { return index }
            } else {
                index += 1
            }
        }
        return source.count
    }

    /// The place behind the parenthesis that closes the one at `open`.
    private func closing(_ open: Int) -> Int {
        var (index, depth) = (open, 0)
        while index < source.count {
            if source[index] == "(" { depth += 1 }
            if source[index] == ")" { depth -= 1 }
            index += 1
            if depth == 0 { return index }
        }
        return source.count
    }

    /// The end of a text that begins here; nil if none does.
    private func textEnd() -> Int? {
        let pounds = source[place...].prefix { $0 == "#" }.count
        var index = place + pounds
        let quotes = source[index...].starts(with: "\"\"\"") ? 3 : 1
        guard index < source.count, source[index] == "\"" else { return nil }
        index += quotes
        let end =
            Array(repeating: Character("\""), count: quotes)
            + Array(repeating: Character("#"), count: pounds)
        let escape = [Character("\\")] + Array(repeating: Character("#"), count: pounds)
        while index < source.count, !source[index...].starts(with: end) {
            guard source[index...].starts(with: escape) else {
                index += 1
                continue
            }
            index += escape.count
            let isValue = index < source.count && source[index] == "("
            index = isValue ? closing(index) : index + 1
        }
        return min(index + end.count, source.count)
    }
}
