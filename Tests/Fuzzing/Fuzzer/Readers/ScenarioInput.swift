internal import CallTranscript

@testable internal import CallTesting

/// A scenario: its faults name lines of it, and the ends of its lines make no difference.
enum ScenarioInput {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        let reading = Reading(bytes)
        let lines = 1 + bytes.count { $0 == 0x0A }
        for fault in reading.faults {
            try require(fault.hasPrefix("line "), "a fault without a line: \(fault)")
        }
        for line in reading.lines {
            try require((1...lines).contains(line.number), "line \(line.number) of \(lines)")
        }
        let other = Reading(bytes.flatMap { $0 == 0x0A ? [0x20, 0x0D, 0x0A] : [$0] })
        try require(reading == other, "with other ends of lines it is \(other), else \(reading)")
    }

    private struct Reading: Equatable {
        struct Line: Equatable {
            let number: Int
            let text: String
        }

        var story = ""
        var titles: [String] = []
        var lines: [Line] = []
        var faults: [String] = []

        init(_ bytes: [UInt8]) {
            do throws(ScenarioFile.Unreadable) {
                let file = try ScenarioFile(bytes)
                story = file.story
                titles = file.sections.map(\.title)
                lines = file.sections.flatMap(\.lines).map {
                    Line(number: $0.number, text: $0.text)
                }
            } catch {
                faults = error.faults.map(\.description)
            }
        }
    }
}
