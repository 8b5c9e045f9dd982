public import CallArbitration
public import CallModel

/// A story taken apart, for those who play it elsewhere than on an arbiter alone.
extension Transcript {
    /// One event, what the arbiter did about it, and the arbiter afterwards.
    public struct Step: Sendable {
        public let event: ArbiterEvent
        public let now: Instant
        public let effects: [ArbiterEffect]
        public let arbiter: Arbiter
        /// The line of the file.
        public let line: Int
    }

    /// A section with events. It goes on from the end of the setup.
    public struct Scene: Sendable {
        public let title: String
        public let steps: [Step]
    }

    /// The steps of the setup, and every other section.
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
