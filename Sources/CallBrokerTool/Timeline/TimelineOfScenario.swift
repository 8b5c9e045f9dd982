internal import BrokerJSON
internal import CallTesting

/// The pictures of the scenarios of a run.
struct TimelineOfScenario {
    private let path: String
    /// Whether each scenario has a file of its own.
    private let isNumbered: Bool
    private var count = 0

    /// - Parameters:
    ///   - path: the file of the picture; of several, with their numbers: `flow-1.svg`.
    ///   - scenarios: the number of scenarios.
    init(_ path: String, of scenarios: Int) {
        self.path = path
        isNumbered = scenarios > 1
    }

    /// Draws the calls of the next scenario.
    ///
    /// - Returns: the path of the picture; nil if there were no calls.
    mutating func draw(_ run: ScenarioRun) throws(ToolFailure) -> String? {
        count += 1
        let scene = try Self.scene(run.timelines())
        guard !scene.calls.isEmpty else { return nil }
        let file = isNumbered ? numbered : path
        try TimelineFile.write(scene, to: file)
        return file
    }

    private var numbered: String {
        let isSVG = path.hasSuffix(".svg")
        return "\(isSVG ? String(path.dropLast(4)) : path)-\(count)\(isSVG ? ".svg" : "")"
    }

    private static func scene(_ timelines: [[String]]) throws(ToolFailure) -> TimelineScene {
        var builders: [TimelineCallBuilder] = []
        for pages in timelines {
            var document = TimelineDocument()
            for page in pages {
                let parsed = try Frame.parse(Array(page.utf8))
                document.add(parsed.root)
            }
            builders.append(try document.builder())
        }
        // A call that has not ended lasts until the latest event of any.
        let endMS = builders.map(\.latestMS).max() ?? 0
        return TimelineScene(builders.map { $0.finished(at: endMS) })
    }
}
