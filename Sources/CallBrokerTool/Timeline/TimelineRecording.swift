internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallTranscript

/// The calls of a recording, as this release decides about them.
struct TimelineRecording {
    private var builders: [CallID: TimelineCallBuilder] = [:]
    private var order: [CallID] = []
    private var nowMS: Int64 = 0

    /// - Parameter bytes: The output of `callbroker record`, or a journal.
    static func scene(_ bytes: [UInt8], path: String) throws(ToolFailure) -> TimelineScene {
        var recording = TimelineRecording()
        let text: [UInt8]
        do throws(JournalFault) {
            text = bytes.starts(with: JournalForm.firstLine) ? try journal(bytes) : bytes
        } catch {
            throw ToolFailure(.errorReply, "\(path): \(error)")
        }
        do throws(TranscriptError) {
            try Transcript(recording: String(decoding: text, as: UTF8.self)).replay {
                recording.add($0)
            }
        } catch {
            throw ToolFailure(.usage, "\(path): \(error)")
        }
        return TimelineScene(
            recording.order.compactMap { recording.builders[$0]?.finished(at: recording.nowMS) })
    }

    private static func journal(_ bytes: [UInt8]) throws(JournalFault) -> [UInt8] {
        var reader = try JournalReader(bytes)
        return JournalTranscript(&reader).bytes
    }

    private mutating func add(_ step: Transcript.Step) {
        nowMS = max(nowMS, step.now.nanoseconds / 1_000_000)
        for effect in step.effects {
            switch effect {
            case .announce(let announcement): add(announcement, step.arbiter)
            case .activateAudio(_, _, let calls): for call in calls { add(.audio(true), to: call) }
            case .deactivateAudio(_, _, let calls):
                for call in calls { add(.audio(false), to: call) }
            case .note(let decision): add(decision, step.arbiter)
            case .record(let entry):
                begin(entry.call, entry.last)
                add(.end(reason: entry.reason.rawValue), to: entry.call)
                add(.state(CallState.ended.rawValue), to: entry.call)
            default: break
            }
        }
    }

    private mutating func add(_ announcement: Announcement, _ arbiter: Arbiter) {
        switch announcement {
        case .callAdded(let call, _):
            guard let view = arbiter.view(of: call) else { return }
            begin(call, view)
            add(.state(view.state.rawValue), to: call)
        case .callChanged(let call, let properties, _):
            guard let view = arbiter.view(of: call) else { return }
            begin(call, view)
            add(.state(view.state.rawValue), to: call)
            if properties.contains(.muted) { add(.muted(view.isMuted), to: call) }
            if properties.contains(.group) { add(.link(.joined, "\(view.group)"), to: call) }
            if properties.contains(.heldBecauseOf), let other = view.heldBecauseOf {
                add(.link(.held, "\(other)"), to: call)
            }
        case .actionChanged(let action, let kind, let call, let state, _):
            add(
                .action(id: "\(action)", kind: kind.rawValue, state: state.rawValue), to: call)
        default: break
        }
    }

    private mutating func add(_ decision: Decision, _ arbiter: Arbiter) {
        guard let call = decision.call, let rule = decision.rule else { return }
        if let view = arbiter.view(of: call) { begin(call, view) }
        add(.decision(rule: rule.rawValue, word: decision.verdict.rawValue), to: call)
    }

    private mutating func begin(_ call: CallID, _ view: CallView) {
        guard builders[call] == nil else { return }
        order.append(call)
        builders[call] = TimelineCallBuilder(
            call: "\(call)", provider: "\(view.provider)", direction: view.direction.rawValue)
    }

    private mutating func add(_ moment: TimelineMoment, to call: CallID) {
        builders[call]?.add(moment, at: nowMS)
    }
}
