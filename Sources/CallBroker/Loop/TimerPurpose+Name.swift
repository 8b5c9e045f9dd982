internal import CallArbitration

extension TimerPurpose {
    /// The kind of the timer, for people.
    var name: String {
        switch self {
        case .hello: "hello"
        case .closing: "closing"
        case .stall: "stall"
        case .heartbeat: "heartbeat"
        case .bookmark: "bookmark"
        case .presence: "presence"
        case .lookup: "lookup"
        case .arbiter(let timer): timer.name
        case .trial: "trial"
        case .presenting: "presenting"
        case .tones: "tones"
        case .usingEndpoint: "using_endpoint"
        case .handover: "handover"
        case .forwardedRequest: "forwarded_request"
        case .asking: "asking"
        case .startingApp: "starting_app"
        case .push: "push"
        case .journal: "journal"
        case .history: "history"
        case .store: "store"
        case .plugin: "plugin"
        case .droppedLines: "dropped_lines"
        case .rescan: "rescan"
        case .grants: "grants"
        case .endPlugins: "end_plugins"
        }
    }
}

extension TimerID {
    fileprivate var name: String {
        switch self {
        case .action: "action"
        case .ring: "ring"
        case .dial: "dial"
        case .startSilence: "start_silence"
        case .screening: "screening"
        case .grace: "grace"
        case .emergencyCallback: "emergency_callback"
        case .endingWait: "ending_wait"
        case .offer: "offer"
        case .videoRequest: "video_request"
        case .textRequest: "text_request"
        }
    }
}
