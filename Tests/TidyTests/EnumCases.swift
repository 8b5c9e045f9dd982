import Foundation

extension SourceTree {
    /// The cases of an enum with raw values: their names in the code and their words on the wire.
    static func cases(of type: String, in path: String) -> [(name: String, word: String)] {
        let file = sources.first { $0.path == path }
        let body = (file?.lines ?? []).drop { !$0.contains("enum \(type): ") }.prefix { $0 != "}" }
        return body.filter { $0.hasPrefix("    case ") }.flatMap { line in
            line.dropFirst("    case ".count).split(separator: ",").map { entry in
                let parts = entry.split(separator: "=").map {
                    $0.trimmingCharacters(in: [" ", "\"", "`"])
                }
                return (parts[0], parts[parts.count - 1])
            }
        }
    }

    /// `ringTimeoutMS` is `ring_timeout_ms` on the wire.
    static func wireName(_ name: String) -> String {
        var result = ""
        var previous: Character = "A"
        for character in name {
            if character.isUppercase, !previous.isUppercase { result += "_" }
            result += character.lowercased()
            previous = character
        }
        return result
    }
}
