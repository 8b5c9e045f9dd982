package import CallClient
package import CallModel

/// Something to do on a call.
package enum CallRequest: Hashable, Sendable {
    case answer(AnswerChoice)
    case end, silence, pull, split
    /// Exchanges the live call and a held one; nil for the only held one.
    case swap(CallID?)
    case hold(Bool)
    case mute(Bool)
    case merge(CallID)
    case tones(String)
    /// Sends the tones that wait behind a pause, or drops them.
    case pausedTones(isWanted: Bool)
    case transfer(Handle)
    case attendedTransfer(CallID)
    case deflect(Handle)
    case video(VideoDirection)
    case text(Bool)
    case endpoint(String)
}

/// Something that a key has asked for, and that the broker does.
package enum Command: Hashable, Sendable {
    case request(CallRequest, CallID)
    /// What the request would do.
    case tryOut(CallRequest, CallID)
    case explain(CallID)
    /// Calls a link such as `tel:+15550100`, on a line if one is chosen.
    case dial(String, LineChoice?)
    case tryOutDial(String, LineChoice?)
    case dialWith(String, ProviderID)
    case callBack(Handle, ProviderID?)
    case callOn(Handle, LineChoice)
    /// Characters of a call's real-time text.
    case type(String, CallID)
    case loadParticipants(CallID)
    case change(Participant.Member, Bool, participant: String, CallID)
    case setLine(LineChoice, LineSetting)
    case block(CallBlock.Who)
    case unblock(CallBlock.Who)
    case doNotDisturb(Bool)
    case doNotDisturbForAnHour
    case addPeriod(WeeklyPeriod)
    case removePeriod(WeeklyPeriod)
    case addContact(name: String, Handle)
    case putContact(HostContact)
    case removeContact(HostContact.ID)
    case removePast(Int64)
    case markSeen
    case set(Setting.Name, String)
    case restartPlugin(String)
    case answer(AppQuestion.Answer)
    /// Reads what a view shows.
    case load(Tab)
    case quit
}

/// The views, in the order of their tabs.
package enum Tab: String, CaseIterable, Sendable {
    case calls, dial, missed, contacts, blocked, settings, plugins, lines
}

/// A setting of the host that may be changed here.
package struct Setting: Hashable, Sendable {
    package enum Name: String, CaseIterable, Sendable {
        case busyInCall = "busy_in_call"
        case dialWhileRinging = "dial_while_ringing"
        case onHoldFailure = "on_hold_failure"
        case onCannotHold = "on_cannot_hold"
        case resumeAfterUserEnd = "resume_after_user_end"
        case resumeAfterRemoteEnd = "resume_after_remote_end"
        case allowsEmergency = "allows_emergency"
        case unknownCallers = "unknown_callers"
        case buttonActive = "button_active"
        case repeatedCallsPass = "repeated_calls_pass"
        case priorityCallersPass = "priority_callers_pass"

        /// The number of the rule that the setting changes.
        package var rule: String {
            switch self {
            case .busyInCall: "2"
            case .dialWhileRinging: "11"
            case .onHoldFailure: "5a"
            case .onCannotHold: "6"
            case .resumeAfterUserEnd: "16"
            case .resumeAfterRemoteEnd: "17"
            case .allowsEmergency: "20"
            case .unknownCallers, .repeatedCallsPass: "32"
            case .buttonActive: "38"
            case .priorityCallersPass: "43"
            }
        }

        /// The words that the setting may have.
        package var choices: [String] {
            switch self {
            case .dialWhileRinging: ["allow", "refuse"]
            case .onHoldFailure: ["keep", "end"]
            case .onCannotHold: ["refuse", "end"]
            case .unknownCallers: ["ring", "silence"]
            case .buttonActive: ["end", "mute"]
            default: ["off", "on"]
            }
        }
    }

    package var name: Name
    package var value: String

    package init(_ name: Name, _ value: String) {
        (self.name, self.value) = (name, value)
    }

    /// The value after this one.
    package var next: String {
        let choices = name.choices
        let index = choices.firstIndex(of: value).map { ($0 + 1) % choices.count } ?? 0
        return choices[index]
    }
}
