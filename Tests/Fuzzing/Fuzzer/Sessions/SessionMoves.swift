internal import CallTesting

/// What clients do. Each takes its particulars from the choices.
extension SessionPlay {
    func move() throws(Finding) {
        switch choices.number(below: 24) {
        case 0..<4: ring()
        case 4..<8: report()
        case 8..<13: ask()
        case 13..<17: answer()
        case 17, 18:
            try advance(
                milliseconds: choices.pick([1, 100, 700, 2_000, 5_000, 20_000, 60_000, 600_000]))
        case 19: try comeOrGo()
        case 20: choosePolicy()
        case 21: look()
        case 22: changeRegistration()
        default: if choices.once(in: 4) { try restart() } else { settleAction() }
        }
    }

    private func provider() -> Actor? {
        let all = cast.filter { $0.isProvider && $0.peer != nil }
        return all.isEmpty ? nil : choices.pick(all)
    }

    /// One that there is, or at times one that was, or never was.
    private func call(of provider: Actor? = nil) -> String {
        let own = calls.filter { provider == nil || $0["provider"]?.string == provider?.identity }
        let ids = own.compactMap { $0["call"]?.string }
        guard !ids.isEmpty, !choices.once(in: 16) else {
            return Self.id(choices.number(below: max(1, madeCalls + 1)))
        }
        return choices.pick(ids)
    }

    private static func id(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
            + digits
    }

    private func newCall() -> String {
        madeCalls += 1
        return Self.id(madeCalls)
    }

    private func remote() -> String {
        choices.pick([
            #"{"type":"phone","value":"+15550100"}"#, #"{"type":"phone","value":"+15550101"}"#,
            #"{"type":"generic","value":"sip:ada@example.org"}"#,
        ])
    }

    private func flag() -> Bool {
        choices.number(below: 2) == 0
    }

    // MARK: - Providers

    private func ring() {
        guard let provider = provider() else { return }
        let priority = choices.pick(["normal", "normal", "background", "emergency"])
        provider.request(
            "call.report_incoming",
            #"{"call":"\#(newCall())","remote":\#(remote()),"priority":"\#(priority)","#
                + #""supports_holding":\#(!choices.once(in: 4))}"#)
    }

    private func report() {
        guard let provider = provider() else { return }
        let call = call(of: provider)
        let reasons = [
            "remote_ended", "failed", "unanswered", "answered_elsewhere", "declined_elsewhere",
        ]
        let (method, members) =
            switch choices.number(below: 9) {
            case 0: ("connecting", "")
            case 1, 2: ("connected", "")
            case 3: ("held", #","held":\#(flag())"#)
            case 4: ("muted", #","muted":\#(flag())"#)
            case 5: ("group", #","with":"\#(self.call(of: provider))""#)
            case 6: ("update", #","display_name":"Ada","supports_holding":\#(flag())"#)
            default: ("ended", #","reason":"\#(choices.pick(reasons))""#)
            }
        provider.request("call.report_" + method, #"{"call":"\#(call)"\#(members)}"#)
    }

    private func changeRegistration() {
        guard let provider = provider() else { return }
        switch choices.number(below: 4) {
        case 0: provider.request("provider.unregister", "{}")
        case 1:
            provider.request(
                "provider.register", #"{"display_name":"again","handle_types":["phone"]}"#)
        case 2:
            provider.request(
                "provider.update",
                #"{"max_call_groups":\#(1 + choices.number(below: 3)),"ring_timeout_ms":5000}"#)
        default:
            let number = newCall()
            provider.request(
                "call.report_missed",
                #"{"call":"\#(number)","remote":\#(remote()),"reason":"unanswered","at_ms":0}"#)
        }
    }

    private func settleAction() {
        guard let provider = provider(), !actions.isEmpty else { return }
        let outcome = choices.pick(["fulfilled", "failed"])
        provider.request(
            "action.settle", #"{"action":"\#(choices.pick(actions))","outcome":"\#(outcome)"}"#)
    }

    // MARK: - Those who speak for the user

    private func ask() {
        let all = cast.filter { [.user, .screen, .desk].contains($0.part) && $0.peer != nil }
        guard !all.isEmpty else { return }
        let (method, members) = wish()
        let wait = choices.pick(["accepted", "completed"])
        let more =
            switch choices.number(below: 8) {
            case 0: #","transaction":"\#(Self.id(0x1000 + choices.number(below: 4)))""#
            case 1: #","dry_run":true"#
            case 2: #","on_conflict":"end""#
            case 3: #","deadline_ms":\#(choices.pick([1, 1_000, 600_000]))"#
            default: ""
            }
        let isBare = ["call.press_button", "call.silence"].contains(method)
        let rest = isBare ? "" : #","wait":"\#(wait)"\#(more)"#
        choices.pick(all).request(method, "{" + String((members + rest).drop { $0 == "," }) + "}")
    }

    private func wish() -> (method: String, members: String) {
        let provider = #","provider":"\#(choices.pick(cast.filter(\.isProvider)).identity)""#
        let call = #""call":"\#(call())""#
        let verbs = ["answer", "hold_and_answer", "end_and_answer", "end_held_and_answer"]
        switch choices.number(below: 16) {
        case 0, 1:
            let isEmergency = choices.once(in: 8)
            return (
                "call.start",
                #""remote":\#(remote()),"call":"\#(newCall())","emergency":\#(isEmergency)"#
                    + provider
            )
        case 2: return ("call.dial", #""uri":"tel:+15550100""#)
        case 3, 4: return ("call.answer", call + #","choice":"\#(choices.pick(verbs))""#)
        case 5, 6: return ("call.end", call)
        case 7, 8: return ("call.set_held", call + #","held":\#(flag())"#)
        case 9: return ("call.set_muted", call + #","muted":\#(flag())"#)
        case 10: return ("call.swap", "")
        case 11: return ("call.merge", call + #","with":"\#(self.call())""#)
        case 12: return ("call.split", call)
        case 13: return ("call.press_button", #""press":"\#(flag() ? "short" : "long")""#)
        case 14: return ("call.silence", call)
        default: return ("transaction.request", #""actions":[\#(actionsOfOne())]"#)
        }
    }

    private func actionsOfOne() -> String {
        (0...choices.number(below: 3)).map { _ in
            let kind = choices.pick(["answer", "end", "set_held", "set_muted", "play_dtmf"])
            let arguments =
                switch kind {
                case "set_held": #","arguments":{"held":\#(flag())}"#
                case "set_muted": #","arguments":{"muted":\#(flag())}"#
                case "play_dtmf": #","arguments":{"digits":"1#"}"#
                default: ""
                }
            return #"{"kind":"\#(kind)","call":"\#(call())"\#(arguments)}"#
        }.joined(separator: ",")
    }

    private func choosePolicy() {
        let change = choices.pick([
            #""on_hold_failure":"end""#, #""on_hold_failure":"keep""#, #""on_cannot_hold":"end""#,
            #""on_cannot_hold":"refuse""#, #""resume_after_user_end":false"#,
            #""resume_after_remote_end":true"#, #""button_active":"mute""#,
            #""dial_while_ringing":"refuse""#,
            #""busy_in_call":true"#,
            #""timeouts":"compatible""#, #""do_not_disturb":{"on":true}"#,
            #""do_not_disturb":{"on":false}"#, #""new_providers":"deny""#,
            #""authorization":{"org.example.desk":"denied"}"#,
            #""authorization":{"org.example.desk":"authorized"}"#,
            #""limits":{"held_groups":0,"ringing":1}"#, #""limits":{"calls":3}"#,
            #""limits":{"held_groups":2,"ringing":8,"calls":100}"#,
        ])
        actor(.user).request("policy.set", "{\(change)}")
    }

    private func look() {
        let actor = actor(flag() ? .user : .observer)
        guard actor.peer != nil else { return }
        switch choices.number(below: 6) {
        case 0: actor.request("call.get", #"{"call":"\#(call())"}"#)
        case 1:
            let call = call()
            actor.request("call.explain", #"{"call":"\#(call)"}"#)
            actor.request("call.timeline", #"{"call":"\#(call)"}"#)
        case 2: actor.request("provider.list", "{}")
        case 3: actor.request("broker.info", "{}")
        case 4: actor.request("call.list", #"{"include_ended":true}"#)
        default:
            let ids = actor.open.keys.sorted()
            guard !ids.isEmpty else { return }
            actor.notify("broker.cancel", #"{"request":\#(choices.pick(ids))}"#)
        }
    }

    // MARK: - Coming and going

    private func comeOrGo() throws(Finding) {
        let actor = choices.pick(cast.filter { $0.part != .inspector })
        guard let peer = actor.peer else { return try enter(actor) }
        switch choices.number(below: 3) {
        case 0: peer.vanish()
        case 1: peer.endInput()
        default: actor.notify("broker.goodbye", #"{"reason":"leaving"}"#)
        }
        if peer.isClosed { actor.forget() }
    }

    // MARK: - Answers

    private func answer() {
        let all = cast.filter { !$0.asks.isEmpty || !$0.late.isEmpty }
        guard !all.isEmpty else { return }
        let actor = choices.pick(all)
        let ask = choices.pick(actor.asks + actor.late)
        switch choices.number(below: 8) {
        case 0:
            let reason = #""data":{"reason":"no_carrier"}"#
            actor.answer(ask, #""error":{"code":-32000,"message":"no",\#(reason)}"#)
        case 1: actor.answer(ask, #""error":{"code":-32601,"message":"unknown"}"#)
        case 2:
            actor.notify("broker.progress", #"{"request":\#(ask.id),"extend_ms":10000}"#)
        case 3: actor.answer(ask, SessionMoves.refusal(ask))
        default: actor.answer(ask, SessionMoves.success(ask))
        }
    }
}

/// Replies that fit the requests.
enum SessionMoves {
    static func success(_ ask: Actor.Ask) -> String {
        switch ask.method {
        case "provider.execute": #""result":{"taken":true}"#
        case "screener.check": #""result":{"verdict":"continue"}"#
        case "ui.present": #""result":{"presented":true}"#
        default: #""result":{}"#
        }
    }

    static func refusal(_ ask: Actor.Ask) -> String {
        switch ask.method {
        case "provider.execute": #""result":{"taken":false}"#
        case "screener.check": #""result":{"verdict":"block"}"#
        case "directory.lookup": #""result":{"label":"Survey","blocked":true}"#
        case "ui.present": #""result":{"presented":false}"#
        default: #""error":{"code":-32010,"message":"cancelled"}"#
        }
    }
}
