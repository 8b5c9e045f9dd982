internal import CallClient
internal import CallModel

extension Phone {
    /// Does what a button of the call says.
    mutating func press(button key: Character) -> [Command] {
        // Answering and declining are for the call that comes in, whichever is selected.
        let isForIncoming = "adELsf".contains(key) && call?.isIncoming != true
        guard let call = isForIncoming ? incoming ?? call : call else { return [] }
        if let button = CallButton.of(call).first(where: { $0.key == key }) {
            return use(button, call)
        }
        if let button = CallButton.all.last(where: { $0.key == key }) {
            noticeNotDone(label(button))
        }
        return []
    }

    mutating func noticeNotDone(_ button: String) {
        notice = text("screen.button_not_done", ["button": button])
    }

    /// Sends or drops the tones of the selected call that wait behind a pause.
    mutating func decideOnTones(isWanted: Bool) -> [Command] {
        guard let call, call.pausedTones != nil else {
            notice = text("screen.phone.no_tones")
            return []
        }
        return [.request(.pausedTones(isWanted: isWanted), call.id)]
    }

    func answer(_ call: ShownCall) -> [Command] {
        let isHolding = call.allowed.contains(.holdAndAnswer)
        return [.request(.answer(isHolding ? .holdAndAnswer : .answer), call.id)]
    }

    /// Does what a button says at once, or asks for what is missing.
    private mutating func use(_ button: CallButton, _ call: ShownCall) -> [Command] {
        switch button.verb {
        case .playDTMF: prompt = Prompt(.tones(call.id))
        case .transfer: prompt = Prompt(.transfer(call.id))
        case .deflect: prompt = Prompt(.deflect(call.id))
        case .merge, .attendedTransfer, .setVideo, .setText, .setEndpoint:
            let items = requests(button.verb, call).map {
                Menu.Item($0.label, .request($0.request, call.id))
            }
            if items.count == 1 { return [items[0].command] }
            menu = Menu(label(button), items)
        default: return requests(button.verb, call).map { .request($0.request, call.id) }
        }
        return []
    }

    /// The choices of the dry run: what is allowed and needs no address.
    func whatIfMenu(_ call: ShownCall) -> Menu {
        let items = CallButton.all.filter { call.allowed.contains($0.verb) }.flatMap { button in
            requests(button.verb, call).map { choice in
                let verb = label(button)
                let words = choice.label.isEmpty ? verb : "\(verb): \(choice.label)"
                return Menu.Item(words, .tryOut(choice.request, call.id))
            }
        }
        return Menu(text("screen.phone.what_if"), items)
    }

    /// Returns what a verb can ask for, with words that tell the choices apart.
    private func requests(
        _ verb: Verb, _ call: ShownCall
    ) -> [(label: String, request: CallRequest)] {
        switch verb {
        case .answer: [("", .answer(.answer))]
        case .holdAndAnswer: [("", .answer(.holdAndAnswer))]
        case .endAndAnswer: [("", .answer(.endAndAnswer))]
        case .endHeldAndAnswer: [("", .answer(.endHeldAndAnswer))]
        case .decline, .end: [("", .end)]
        case .silence: [("", .silence)]
        case .pull: [("", .pull)]
        case .hold: [("", .hold(true))]
        case .resume: [("", .hold(false))]
        case .mute: [("", .mute(true))]
        case .unmute: [("", .mute(false))]
        case .swap: [("", .swap(call.state == .held ? call.id : nil))]
        case .split: [("", .split)]
        case .setText: textChoices(call)
        case .merge: call.mergeWith.map { (name(of: $0), .merge($0)) }
        case .attendedTransfer: partners(of: call).map { (name(of: $0), .attendedTransfer($0)) }
        case .setVideo: videoChoices(call)
        case .setEndpoint: endpointChoices(call)
        case .playDTMF, .transfer, .deflect: []
        }
    }

    /// The other calls of the app that can be joined with a call.
    private func partners(of call: ShownCall) -> [CallID] {
        calls.filter {
            $0.app == call.app && $0.id != call.id && $0.allowed.contains(.attendedTransfer)
        }.map(\.id)
    }

    private func videoChoices(_ call: ShownCall) -> [(label: String, request: CallRequest)] {
        VideoDirection.allCases.map { video in
            let words = text("screen.phone.video." + video.rawValue)
            let isAsked = call.videoRequest == video
            let asked = text("screen.phone.video_asked", ["choice": words])
            return (isAsked ? asked : words, .video(video))
        }
    }

    /// A request of the other side is accepted or declined; without one text is added or taken away.
    private func textChoices(_ call: ShownCall) -> [(label: String, request: CallRequest)] {
        guard call.isTextRequested else {
            let words = text("screen.phone.text." + (call.hasText ? "off" : "on"))
            return [(words, .text(!call.hasText))]
        }
        return [
            (text("screen.button.accept_text"), .text(true)),
            (text("screen.button.decline_text"), .text(false)),
        ]
    }

    private func endpointChoices(_ call: ShownCall) -> [(label: String, request: CallRequest)] {
        call.endpoints.filter { $0.state != .unavailable }.map { endpoint in
            let name = (endpoint.name ?? endpoint.id).shown
            let mark = endpoint.state == .inUse ? " (" + text("endpoint.in_use") + ")" : ""
            return (name + mark, .endpoint(endpoint.id))
        }
    }
}
