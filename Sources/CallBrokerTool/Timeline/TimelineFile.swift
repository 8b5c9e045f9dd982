internal import ArgumentParser
internal import BrokerSocket

/// The file of a picture.
struct TimelineFile: ParsableArguments {
    /// The page of the rules in the documentation's site.
    static let rulesPage = "rules.html"

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: "Draw a picture into this file, as SVG; - is standard output.",
        completion: .file(extensions: ["svg"]))
    var output: String?

    @Option(
        name: .customLong("rules"),
        help: ArgumentHelp(
            "The address of the page of the rules, to which a picture links.",
            discussion: "Default: \(rulesPage), the page in the documentation's site."))
    var rules: String?

    func validate() throws {
        guard rules == nil || output != nil else { throw ValidationError("--rules needs -o FILE") }
    }

    /// Draws a picture.
    func write(_ scene: TimelineScene) throws {
        guard let output else { return }
        try Self.write(scene, to: output, rules: rules ?? Self.rulesPage)
    }

    static func write(
        _ scene: TimelineScene, to path: String, rules: String = rulesPage
    ) throws(ToolFailure) {
        let bytes = Array(TimelineSVG(scene, rules: rules).text.utf8)
        guard path != "-" else { return StandardOutput.write(bytes) }
        do throws(SocketError) {
            try HostFile.write(path, bytes)
        } catch {
            throw ToolFailure(.errorReply, "\(error)")
        }
    }
}
