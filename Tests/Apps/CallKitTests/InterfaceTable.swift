import Foundation

/// A table of what a module is to offer: `Interface/MODULE.txt`.
struct InterfaceTable {
    /// As `PublicSurface` writes them.
    private(set) var rows: Set<String> = []
    /// What each type is to be, and must not be.
    private(set) var ancestors: [String: Set<String>] = [:]
    private(set) var strangers: [String: Set<String>] = [:]
    /// The raw values of enums, by type and case.
    private(set) var numbers: [String: Int] = [:]
    /// Of a shim: what each row does, and what there is not.
    private(set) var verdicts: [String: String] = [:]
    private(set) var absent: Set<String> = []

    /// What a line may begin with in a shim's table.
    private static let verdictWords = ["works", "kept", "refuses", "ignored"]

    init(of module: String) throws {
        var type = ""
        let text = try SourceFolder.text("Tests/Apps/CallKitTests/Interface/\(module).txt")
        for line in text.split(separator: "\n") {
            if let name = line.wholeMatch(of: /absent +(\S+)/)?.1 {
                absent.insert(String(name))
            } else if line.hasPrefix("    ") {
                add(member: line.drop { $0 == " " }, of: type)
            } else if let match = line.wholeMatch(
                of: /(open )?(class|struct|enum|protocol) (\S+?)(: (.*))?/)
            {
                type = String(match.3)
                rows.insert("\(match.1 ?? "")\(match.2) \(type)")
                add(ancestry: match.5 ?? "", of: type)
            } else if line.prefixMatch(of: #/(let|typealias|func|@discardableResult) /#) != nil {
                rows.insert(String(line))
            }
        }
    }

    private mutating func add(member line: Substring, of type: String) {
        var line = line
        var verdict: String?
        for word in Self.verdictWords where line.hasPrefix(word + " ") {
            verdict = word
            line = line.dropFirst(word.count).drop { $0 == " " }
        }
        if let match = line.wholeMatch(of: /case (\w+) = (-?\d+)/), let number = Int(match.2) {
            numbers["\(type).\(match.1)"] = number
            line = "case \(match.1)"
        }
        rows.insert("\(type) | \(line)")
        verdicts["\(type) | \(line)"] = verdict
    }

    private mutating func add(ancestry text: Substring, of type: String) {
        for name in text.split(separator: ", ") {
            if name.hasPrefix("not ") {
                strangers[type, default: []].insert(String(name.dropFirst(4)))
            } else if name != "Int" {
                ancestors[type, default: []].insert(String(name))
            }
        }
    }
}
