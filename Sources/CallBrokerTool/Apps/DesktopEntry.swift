internal import BrokerSocket

/// A desktop file of an app, by the Desktop Entry Specification, as far as a start needs it.
struct DesktopEntry: Equatable {
    private static let group = "[Desktop Entry]"

    let path: String
    private let values: [Substring: String]

    /// Parses the text of a file.
    init(_ text: String, at path: String) {
        self.path = path
        var values: [Substring: String] = [:]
        var isInGroup = false
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") { isInGroup = line.trimmingBlanks == Self.group }
            guard isInGroup, !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else {
                continue
            }
            let key = line[..<equals].trimmingBlanks
            guard values[key] == nil else { continue }
            values[key] = Self.unescaped(line[line.index(after: equals)...].trimmingBlanks)
        }
        self.values = values
    }

    /// True if the file stands for a deleted one.
    var isHidden: Bool {
        values["Hidden"] == "true"
    }

    /// True if the session bus starts the app.
    var isBusActivatable: Bool {
        values["DBusActivatable"] == "true"
    }

    /// The working directory; nil for any.
    var folder: String? {
        values["Path"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The program that has to be there; nil if the file does not name one.
    var required: String? {
        values["TryExec"]
    }

    /// True if it is an app, with windows of its own.
    var isProgram: Bool {
        values["Type"] == "Application" && values["Terminal"] != "true"
    }

    // MARK: - The program

    /// The program with its arguments, without files to open; nil if there is none.
    var arguments: [String]? {
        guard let exec = values["Exec"], let words = Self.words(of: exec) else { return nil }
        let arguments = words.flatMap(expanded)
        guard let program = arguments.first, !program.isEmpty, !program.contains("=") else {
            return nil
        }
        return arguments
    }

    /// Splits a command line into its words. A word with blanks is in quotation marks, in which a
    /// backslash precedes special characters. Nil if a quotation mark is missing.
    private static func words(of line: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var (isQuoted, isEscaped) = (false, false)
        for character in line {
            if isEscaped {
                word?.append(character)
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
                word = word ?? ""
            } else if !isQuoted, character == " " || character == "\t" {
                if let whole = word.take() { words.append(whole) }
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard !isQuoted else { return nil }
        return word.map { words + [$0] } ?? words
    }

    /// Expands the field codes of a word. One that is only a code for files or addresses is removed.
    private func expanded(_ word: String) -> [String] {
        if word == "%i" { return values["Icon"].map { ["--icon", $0] } ?? [] }
        var text = ""
        var isCode = false
        for character in word {
            if isCode {
                text += expansion(of: character)
                isCode = false
            } else if character == "%" {
                isCode = true
            } else {
                text.append(character)
            }
        }
        return text.isEmpty && !word.isEmpty ? [] : [text]
    }

    private func expansion(of code: Character) -> String {
        switch code {
        case "%": "%"
        case "c": values["Name"] ?? ""
        case "k": path
        default: ""
        }
    }

    /// Returns a value without its escape sequences.
    private static func unescaped(_ value: Substring) -> String {
        var text = ""
        var isEscaped = false
        for character in value {
            guard isEscaped || character == "\\" else {
                text.append(character)
                continue
            }
            guard isEscaped else {
                isEscaped = true
                continue
            }
            isEscaped = false
            switch character {
            case "s": text.append(" ")
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "r": text.append("\r")
            case "\\": text.append("\\")
            default: text += "\\" + String(character)
            }
        }
        return text
    }
}

extension DesktopEntry {
    private static let bytesMax = 1 << 20

    /// Finds the file with an id in the folders of the user and of the host; nil without one.
    ///
    /// - Parameter isFile: Returns whether a file is at a path.
    static func path(
        of id: String, _ environment: [String: String], isFile: (String) -> Bool
    ) -> String? {
        let names = names(of: id)
        for folder in folders(environment) {
            if let name = names.first(where: { isFile("\(folder)/applications/\($0)") }) {
                return "\(folder)/applications/\(name)"
            }
        }
        return nil
    }

    /// Reads the file with an id; nil if there is none, or it is hidden.
    static func find(_ id: String, _ environment: [String: String]) -> DesktopEntry? {
        let path = path(of: id, environment) { (try? HostFile.isFile($0)) == true }
        guard let path, let bytes = try? HostFile.read(path, bytesMax: bytesMax) else { return nil }
        let entry = DesktopEntry(String(decoding: bytes, as: UTF8.self), at: path)
        return entry.isHidden ? nil : entry
    }

    /// The data folders, by decreasing precedence.
    private static func folders(_ environment: [String: String]) -> [String] {
        func value(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        let own = value("XDG_DATA_HOME") ?? value("HOME").map { $0 + "/.local/share" }
        let others = value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
        return ([own ?? ""] + others.split(separator: ":").map(String.init))
            .filter { $0.hasPrefix("/") }
    }

    /// The paths that an id may stand for below a folder: dashes may be slashes.
    private static func names(of id: String) -> [String] {
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        return parts.indices.compactMap { count in
            let folders = parts[..<count]
            guard folders.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
            return (folders + [parts[count...].joined(separator: "-")[...]]).joined(separator: "/")
        }
    }
}

extension Substring {
    /// The text without blanks at both ends.
    fileprivate var trimmingBlanks: Substring {
        let rest = drop { $0 == " " || $0 == "\t" }
        guard let last = rest.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return rest[...last]
    }
}
