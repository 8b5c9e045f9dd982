/// What a sentence may mean.
enum Intent: String, CaseIterable {
    case dial
    case dialVideo = "dial_video"
    case answer, decline, end, hold, resume, swap, mute, unmute, silence
    case doNotDisturbOn = "do_not_disturb_on"
    case doNotDisturbOff = "do_not_disturb_off"
    case status

    /// True if the sentence names whom to call.
    var hasPerson: Bool {
        self == .dial || self == .dialVideo
    }

    /// The arguments of the command that does it.
    func arguments(who: String?) -> [String] {
        switch self {
        case .dial: ["dial", "--", who ?? ""]
        case .dialVideo: ["dial", "--video", "--", who ?? ""]
        case .doNotDisturbOn: ["dnd", "on"]
        case .doNotDisturbOff: ["dnd", "off"]
        case .answer, .decline, .end, .hold, .resume, .swap, .mute, .unmute, .silence, .status:
            [rawValue]
        }
    }
}
