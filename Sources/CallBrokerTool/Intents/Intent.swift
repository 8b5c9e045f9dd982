/// What a sentence may mean.
enum Intent: String, CaseIterable {
    case dial
    case dialVideo = "dial_video"
    case answer, decline, end, hold, resume, swap, mute, unmute, silence
    case doNotDisturbOn = "do_not_disturb_on"
    case doNotDisturbOff = "do_not_disturb_off"
    case calls

    /// True if the sentence names whom to call.
    var hasPerson: Bool {
        self == .dial || self == .dialVideo
    }

    /// The words of the command that does it, without the person.
    var words: [String] {
        switch self {
        case .dial: ["dial"]
        case .dialVideo: ["dial", "--video"]
        case .doNotDisturbOn: ["dnd", "on"]
        case .doNotDisturbOff: ["dnd", "off"]
        case .calls, .answer, .decline, .end, .hold, .resume, .swap, .mute, .unmute, .silence:
            [rawValue]
        }
    }
}
