internal import CallProtocol

@testable internal import CallBroker

/// What users chose for plugins: what was read is written and read as the same again.
enum ChoicesInput {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        let all: [String: PluginChoices]
        do throws(PluginChoices.Fault) {
            all = try PluginChoices.read(bytes)
        } catch {
            let words = error.description
            return try require(words.printable == words, "it cannot be printed: \(words)")
        }
        let text = PluginChoices.write(all.map { (identity: $0.key, choices: $0.value) })
        // What was read in its shortest form may be longer than what is read.
        guard text.count <= bytes.count else { return }
        let again = try? PluginChoices.read(text)
        try require(again == all, "\(all) became \(String(describing: again))")
    }
}
