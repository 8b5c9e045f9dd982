internal import CallArbitration
internal import CallModel
internal import CallTranscript

extension Bench {
    static func line(_ event: ArbiterEvent, at now: Instant) -> String {
        Transcript.EventLine(event, at: now).text
    }

    /// What happened, timers included, as a transcript: the complaint is its story, and the effects
    /// of the last event stand behind it.
    package var text: String {
        var lines: [Transcript.Line] = record.map { .event(.init($0.event, at: $0.at)) }
        lines += lastEffects.map { .effect($0) }
        let story = complaint?.description ?? "Nothing is wrong."
        return Transcript(story: story, sections: [.init(title: nil, lines: lines)]).text()
    }
}
