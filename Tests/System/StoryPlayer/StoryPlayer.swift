internal import CallArbitration
internal import CallModel
package import CallTranscript
package import TestSupport

/// How far a section was played.
package struct Performance: Sendable {
    package let story: String
    package let section: String
    package var acts = 0
    /// Why not to its end.
    package var ending: Unplayable?
    /// What came out otherwise than it is written.
    package var fault: String?
}

/// Plays the sections of a story, each on a stage of its own.
package struct StoryPlayer {
    private let story: Story
    private let transcript: Transcript

    package init(_ story: Story) throws {
        self.story = story
        transcript = try Transcript(try story.text(), reading: .whatAuthorsWrote)
    }

    /// - Parameter open: makes a new stage.
    package func play(_ open: () throws -> any Stage) throws -> [Performance] {
        var performances: [Performance] = []
        let setup = transcript.sections.filter { $0.title == Transcript.Section.setup }
        for section in transcript.sections where section.title != Transcript.Section.setup {
            let part = Transcript(story: transcript.story, sections: setup + [section])
            let stage = try open()
            let bits = UUIDBits(stage.epoch) ?? UUIDBits(high: 0, low: 0)
            let (setup, scenes) = try part.scenes(lineage: bits.high)
            for scene in scenes {
                performances.append(
                    play(scene, after: setup, isFirst: performances.isEmpty, on: stage))
            }
        }
        return performances
    }

    /// What the sections are on the wire, without a shell: the kinds of their frames, and why some
    /// cannot be played to their ends.
    package func read() throws -> (frames: Set<WireForm.Frame>, endings: [Unplayable]) {
        let (setup, scenes) = try transcript.scenes()
        var (frames, endings): (Set<WireForm.Frame>, [Unplayable]) = ([], [])
        for scene in scenes {
            let steps = setup + scene.steps
            var reading = Reading(cast: FilterCast(steps))
            if let ending = reading.read(steps) { endings.append(ending) }
            frames.formUnion(reading.frames)
        }
        return (frames, endings)
    }

    private func play(
        _ scene: Transcript.Scene, after setup: [Transcript.Step], isFirst: Bool,
        on stage: any Stage
    ) -> Performance {
        var performance = Performance(story: story.name, section: scene.title)
        var run = Run(stage: stage, steps: setup + scene.steps)
        do {
            // The first section looks closely at the setup, which is the same for all.
            performance.ending = try run.play(setup, isChecked: isFirst)
            if performance.ending == nil {
                performance.ending = try run.play(scene.steps, isChecked: true)
            }
            try run.finish()
        } catch let fault as PlayFault {
            performance.fault = "\(story.name):\(fault.line) (\(scene.title)): \(fault.text)"
        } catch {
            performance.fault = "\(story.name) (\(scene.title)): \(error)"
        }
        performance.acts = run.acts
        return performance
    }
}

/// Something came out otherwise.
private struct PlayFault: Error {
    let line: Int
    let text: String
}

/// One section on its stage.
private struct Run {
    let stage: any Stage
    var staging: Staging
    var last: Transcript.Step?
    var acts = 0

    /// - Parameter steps: all of the section and its setup.
    init(stage: any Stage, steps: [Transcript.Step]) {
        self.stage = stage
        staging = Staging(
            epoch: stage.epoch, offsetMS: stage.offsetMS,
            mortals: Set(steps.compactMap(\.exited)), cast: FilterCast(steps))
    }

    /// Why it did not go on to the end; nil if it did.
    mutating func play(_ steps: [Transcript.Step], isChecked: Bool) throws -> Unplayable? {
        var rest = steps[...]
        while !rest.isEmpty {
            var (next, left) = (staging, rest)
            let act: Act
            do {
                act = try next.act(&left)
            } catch {
                return error
            }
            last = rest[left.startIndex - 1]
            (staging, rest) = (next, left)
            try perform(act, isChecked: isChecked)
            acts += 1
        }
        return nil
    }

    mutating func finish() throws {
        let act = staging.curtain(after: last)
        try perform(act, isChecked: true)
        if let text = staging.difference(from: last) {
            throw PlayFault(line: act.line, text: text)
        }
        try stage.settle()
        try compare(Act(line: act.line), isChecked: true)
    }

    private func perform(_ act: Act, isChecked: Bool) throws {
        do {
            for move in act.moves { try stage.perform(move) }
            if act.frames.isEmpty { try stage.settle() }
        } catch {
            throw PlayFault(line: act.line, text: "\(error)")
        }
        try compare(act, isChecked: isChecked)
    }

    private func compare(_ act: Act, isChecked: Bool) throws {
        for client in stage.clients {
            let expected = act.frames[client] ?? []
            let frames = try stage.frames(for: client, atLeast: expected.count)
            if isChecked {
                for (frame, text) in zip(expected, frames) {
                    guard let difference = frame.difference(from: Wire(text: text)) else {
                        continue
                    }
                    throw PlayFault(
                        line: act.line,
                        text: "\(client): \(difference)\nexpected \(frame.text)\nfound    \(text)")
                }
            }
            guard frames.count != expected.count else { continue }
            let missing = expected.dropFirst(frames.count).map(\.text)
            let extra = frames.dropFirst(expected.count)
            throw PlayFault(
                line: act.line, text: "\(client): missing \(missing), not expected \(extra)")
        }
    }
}

extension Transcript.Step {
    fileprivate var exited: ProviderID? {
        guard case .providerExited(let provider) = event else { return nil }
        return provider
    }
}
