public import CallArbitration
public import CallModel

/// Decomposition into steps, for playing a transcript elsewhere than on an arbiter alone.
extension Transcript {
    /// An event with its effects, and the arbiter after it.
    public struct Step: Sendable {
        /// The event.
        public let event: ArbiterEvent
        /// The time of the event.
        public let now: Instant
        /// The effects of the event.
        public let effects: [ArbiterEffect]
        /// The arbiter after the event.
        public let arbiter: Arbiter
        /// The number of the line in the file, from 1.
        public let line: Int
    }

    /// A section with events. It continues from the end of the setup.
    public struct Scene: Sendable {
        /// The title of the section.
        public let title: String
        /// The steps of the section.
        public let steps: [Step]
    }

    /// Returns the steps of the setup, and all other sections.
    public func scenes(policy: ArbitrationPolicy = ArbitrationPolicy(), lineage: UInt64 = 1)
        throws(TranscriptError) -> (setup: [Step], scenes: [Scene])
    {
        var beginning = Player(arbiter: Arbiter(policy: policy, lineage: lineage), lineage: lineage)
        var setup: [Step] = []
        for section in sections where section.isSetup {
            setup += try beginning.steps(of: section.lines)
        }
        var scenes: [Scene] = []
        for section in sections where !section.isSetup {
            var player = beginning
            let steps = try player.steps(of: section.lines)
            if !steps.isEmpty { scenes.append(Scene(title: section.title ?? "", steps: steps)) }
        }
        return (setup, scenes)
    }
}

extension Transcript.Player {
    fileprivate mutating func steps(
        of lines: [Transcript.Line]
    ) throws(TranscriptError) -> [Transcript.Step] {
        var steps: [Transcript.Step] = []
        for case .event(let line) in lines { steps.append(try step(line)) }
        return steps
    }
}
