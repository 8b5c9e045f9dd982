internal import CallClient
internal import CallModel
internal import PhoneScreen
internal import Synchronization

extension Session {
    /// Does what a key has asked for.
    func perform(_ command: Command, _ user: CallController) async throws(CallError) {
        switch command {
        case .request(.silence, let call): try await user.silence(call)
        case .request(.pausedTones(isWanted: false), let call): try await user.dropTones(call)
        case .request(let request, let call): _ = try await send(request, call, .completed, user)
        case .tryOut(let request, let call):
            let outcome = try await send(request, call, .dryRun, user)
            inbox.post { $0.phone.tell(wouldDo: outcome) }
        case .explain(let call):
            let steps = try await user.explain(call)
            inbox.post { $0.phone.explain(call, steps, $0.clock) }
        case .dial(let link, let line):
            try await choosingApp {
                .dialWith(link, $0)
            } start: { () async throws(CallError) -> TransactionOutcome in
                try await user.dial(link, provider: line?.app, line: line?.line, .completed)
            }
        case .dialWith(let link, let app): try await user.dial(link, provider: app, .completed)
        case .tryOutDial(let link, let line):
            let outcome = try await user.dial(
                link, provider: line?.app, line: line?.line, .dryRun)
            inbox.post { $0.phone.tell(wouldDo: outcome) }
        case .callBack(let address, let app):
            try await choosingApp {
                .callBack(address, $0)
            } start: { () async throws(CallError) -> TransactionOutcome in
                try await user.start(address, provider: app, .completed)
            }
        case .callOn(let address, let line):
            try await user.start(address, provider: line.app, line: line.line, .completed)
        case .type(let characters, let call): try await type(characters, call, user)
        case .loadParticipants(let call):
            let participants = try await user.participants(of: call)
            inbox.post { $0.phone.show(participants, of: call) }
        case .change(let member, let value, let participant, let call):
            try await user.change(member, to: value, of: participant, in: call)
        case .load(let tab): try await load(tab, user)
        default: try await change(command, user)
        }
    }

    /// Starts a call, and lets the user choose the app if several can do it.
    private func choosingApp(
        _ command: @escaping @Sendable (ProviderID) -> Command,
        start: () async throws(CallError) -> TransactionOutcome
    ) async throws(CallError) {
        do throws(CallError) {
            _ = try await start()
        } catch {
            guard error.reason == "ambiguous_provider" else { throw error }
            inbox.post { $0.phone.chooseApp(command) }
        }
    }

    private func type(
        _ characters: String, _ call: CallID, _ user: CallController
    ) async throws(CallError) {
        guard typed.withLock({ $0.add(characters, to: call) }) else { return }
        while let text = typed.withLock({ $0.next(of: call) }) {
            do throws(CallError) {
                try await user.send(text, on: call)
            } catch {
                typed.withLock { $0.drop(call) }
                throw error
            }
        }
    }

    private func send(
        _ request: CallRequest, _ call: CallID, _ options: RequestOptions, _ user: CallController
    ) async throws(CallError) -> TransactionOutcome {
        switch request {
        case .answer(let choice): try await user.answer(call, choice, options)
        case .pull: try await user.pull(call, nil, options)
        case .end, .silence: try await user.end(call, options)
        case .swap(let held): try await user.swap(held, options)
        case .split: try await user.split(call, options)
        case .hold(let isHeld): try await user.setHeld(call, isHeld, options)
        case .mute(let isMuted): try await user.setMuted(call, isMuted, options)
        case .merge(let other): try await user.merge(call, with: other, options)
        case .tones(let tones): try await user.playDTMF(call, digits: tones, options)
        case .pausedTones: try await user.continueTones(call)
        case .transfer(let address): try await user.transfer(call, to: address, options)
        case .attendedTransfer(let other):
            try await user.attendedTransfer(call, with: other, options)
        case .deflect(let address): try await user.deflect(call, to: address, options)
        case .video(let video): try await user.setVideo(call, to: video, options)
        case .text(let hasText): try await user.setText(call, to: hasText, options)
        case .endpoint(let endpoint): try await user.setEndpoint(call, to: endpoint, options)
        }
    }

    /// Changes what the host keeps, and reads the changed list again.
    private func change(_ command: Command, _ user: CallController) async throws(CallError) {
        switch command {
        case .block(let who):
            try await user.block(who)
            inbox.post { $0.phone.noticeBlocked() }
            try await load(.blocked, user)
        case .unblock(let who):
            try await user.unblock(who)
            try await load(.blocked, user)
        case .addContact(let name, let address):
            try await user.addContact(name, handles: [address])
            try await load(.contacts, user)
        case .putContact(let contact):
            try await user.putContact(contact)
            try await load(.contacts, user)
        case .removeContact(let contact):
            try await user.removeContact(contact)
            try await load(.contacts, user)
        case .removePast(let entry):
            try await user.removeHistory([entry])
            try await load(.missed, user)
        case .markSeen:
            try await user.markHistorySeen()
            try await load(.missed, user)
        case .restartPlugin(let plugin):
            try await user.restartPlugin(plugin)
            try await load(.plugins, user)
        case .doNotDisturb(let isOn): show(try await user.setDoNotDisturb(isOn))
        case .doNotDisturbForAnHour:
            show(try await user.setDoNotDisturb(true, untilMS: LocalTime.nowMS + 3_600_000))
        case .addPeriod(let period):
            show(try await user.changePolicy { $0.doNotDisturb.schedule.append(period) })
        case .removePeriod(let period):
            show(
                try await user.changePolicy { policy in
                    policy.doNotDisturb.schedule.removeAll { $0 == period }
                })
        case .setLine(let line, let setting):
            try await user.change(setting, of: line.line, at: line.app)
            try await load(.lines, user)
        case .set(let name, let value):
            show(try await user.changePolicy { $0.set(name, value) })
        default: break
        }
    }

    // MARK: - Lists

    private func load(_ tab: Tab, _ user: CallController) async throws(CallError) {
        guard readings.withLock({ $0.begin(tab) }) else { return }
        var failure: CallError?
        repeat {
            do throws(CallError) {
                failure = nil
                try await read(tab, user)
            } catch {
                failure = error
            }
        } while readings.withLock { $0.goesOn(tab) }
        if let failure { throw failure }
    }

    private func read(_ tab: Tab, _ user: CallController) async throws(CallError) {
        switch tab {
        case .calls, .lines:
            let apps = try await user.apps()
            let names = Dictionary(apps.map { ($0.id, $0.name) }) { first, _ in first }
            let lines = apps.flatMap { app in app.lines.map { LineRow(app.id, $0) } }
            inbox.post { screen in
                screen.phone.appNames = names
                screen.phone.lines = lines
            }
        case .dial, .missed: try await loadHistory(user)
        case .contacts:
            let contacts = try await user.contacts()
            inbox.post { $0.phone.contacts = contacts }
        case .blocked:
            let blocks = try await user.blocks().map { BlockRow($0.who, $0.reason) }
            inbox.post { $0.phone.blocks = blocks }
        case .settings: show(try await user.policy())
        case .plugins:
            let plugins = try await user.plugins().map { plugin in
                PluginRow(
                    plugin.id, plugin.name, plugin.state,
                    about: plugin.failure ?? plugin.summary ?? "")
            }
            inbox.post { $0.phone.plugins = plugins }
        }
    }

    private func loadHistory(_ user: CallController) async throws(CallError) {
        var missedOnly = CallHistoryEntry.Filter()
        missedOnly.isMissedOnly = true
        let recent = try await user.history(limit: 200)
        let missed = try await user.history(missedOnly, limit: 200)
        let (past, rows) = (recent.calls.map { PastRow($0) }, missed.calls.map { PastRow($0) })
        inbox.post { screen in
            screen.phone.history = past
            screen.phone.missed = rows
            screen.phone.missedCount = recent.missed
        }
    }

    private func show(_ policy: HostPolicy) {
        let settings = Setting.Name.allCases.map { Setting($0, policy.value(of: $0)) }
        let (isQuiet, schedule) = (policy.doNotDisturb.isOn, policy.doNotDisturb.schedule)
        inbox.post { screen in
            screen.phone.settings = settings
            screen.phone.doesNotDisturb = isQuiet
            screen.phone.schedule = schedule
        }
    }
}

extension HostPolicy {
    /// Returns the word that a setting has.
    fileprivate func value(of name: Setting.Name) -> String {
        switch name {
        case .busyInCall: busyInCall.word
        case .dialWhileRinging: dialWhileRinging.rawValue
        case .onHoldFailure: onHoldFailure.rawValue
        case .onCannotHold: onCannotHold.rawValue
        case .resumeAfterUserEnd: resumesAfterUserEnd.word
        case .resumeAfterRemoteEnd: resumesAfterRemoteEnd.word
        case .allowsEmergency: allowsEmergency.word
        case .unknownCallers: silencesUnknownCallers ? "silence" : "ring"
        case .buttonActive: buttonActive.rawValue
        case .repeatedCallsPass: doNotDisturb.letsRepeatedCallsPass.word
        case .priorityCallersPass: doNotDisturb.letsPriorityCallersPass.word
        }
    }

    /// Changes a setting to one of its words.
    fileprivate mutating func set(_ name: Setting.Name, _ word: String) {
        let isOn = word == "on"
        switch name {
        case .busyInCall: busyInCall = isOn
        case .dialWhileRinging: dialWhileRinging = .init(rawValue: word) ?? dialWhileRinging
        case .onHoldFailure: onHoldFailure = .init(rawValue: word) ?? onHoldFailure
        case .onCannotHold: onCannotHold = .init(rawValue: word) ?? onCannotHold
        case .resumeAfterUserEnd: resumesAfterUserEnd = isOn
        case .resumeAfterRemoteEnd: resumesAfterRemoteEnd = isOn
        case .allowsEmergency: allowsEmergency = isOn
        case .unknownCallers: silencesUnknownCallers = word == "silence"
        case .buttonActive: buttonActive = .init(rawValue: word) ?? buttonActive
        case .repeatedCallsPass: doNotDisturb.letsRepeatedCallsPass = isOn
        case .priorityCallersPass: doNotDisturb.letsPriorityCallersPass = isOn
        }
    }
}

extension Bool {
    fileprivate var word: String { self ? "on" : "off" }
}
