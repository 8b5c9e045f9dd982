internal import CallClient
internal import CallModel

extension Phone {
    // MARK: - Missed calls

    private var selectedMissed: PastRow? {
        missed.indices.contains(row) ? missed[row] : nil
    }

    mutating func callBackMissed() -> [Command] {
        guard let past = selectedMissed, let remote = past.remote else { return [] }
        return go(to: .calls) + [.callBack(remote, past.app)]
    }

    func blockMissed() -> [Command] {
        selectedMissed?.remote.map { [.block(.handle($0))] } ?? []
    }

    func removeMissed() -> [Command] {
        selectedMissed.map { [.removePast($0.id)] } ?? []
    }

    // MARK: - Contacts and blocks

    private var selectedContact: HostContact? {
        contacts.indices.contains(row) ? contacts[row] : nil
    }

    mutating func callContact() -> [Command] {
        guard let contact = selectedContact, let first = contact.handles.first else { return [] }
        return go(to: .calls) + [.callBack(first, contact.provider)]
    }

    func changeContact(_ change: (inout HostContact) -> Void) -> [Command] {
        guard var contact = selectedContact else { return [] }
        change(&contact)
        return [.putContact(contact)]
    }

    func removeContact() -> [Command] {
        selectedContact.map { [.removeContact($0.id)] } ?? []
    }

    func unblock() -> [Command] {
        blocks.indices.contains(row) ? [.unblock(blocks[row].who)] : []
    }

    // MARK: - Settings and plugins

    func changeSetting() -> [Command] {
        settings.indices.contains(row) ? [.set(settings[row].name, settings[row].next)] : []
    }

    func restartPlugin() -> [Command] {
        plugins.indices.contains(row) ? [.restartPlugin(plugins[row].id)] : []
    }

    // MARK: - Do not disturb

    func removePeriod() -> [Command] {
        schedule.indices.contains(shownRow) ? [.removePeriod(schedule[shownRow])] : []
    }

    // MARK: - Participants

    mutating func openParticipants() {
        guard let call, participants[call.id] != nil else {
            return noticeNotDone(text("screen.phone.button.participants"))
        }
        open(.participants(call.id))
    }

    /// Mutes the selected participant or raises the hand, or the other way round, if that is allowed.
    mutating func changeParticipant(_ member: Participant.Member) -> [Command] {
        guard let call = sheet?.call, let all = participants[call], all.indices.contains(shownRow)
        else { return [] }
        let chosen = all[shownRow]
        guard chosen.changeable.contains(member) else {
            notice = text("screen.phone.not_changeable")
            return []
        }
        let value = member == .muted ? !chosen.isMuted : !chosen.isHandRaised
        return [.change(member, value, participant: chosen.id, call)]
    }

    // MARK: - Lines

    private var selectedLine: LineRow? {
        lines.indices.contains(row) ? lines[row] : nil
    }

    mutating func openLine() {
        guard let row = selectedLine else { return }
        guard !row.line.settings.isEmpty else {
            notice = text("screen.phone.line.no_settings")
            return
        }
        open(.line(row.choice))
    }

    mutating func callVoicemail() -> [Command] {
        guard let row = selectedLine else { return [] }
        guard let address = row.line.voicemail else {
            notice = text("screen.phone.line.no_voicemail")
            return []
        }
        return go(to: .calls) + [.callOn(address, row.choice)]
    }

    private var selectedSetting: (choice: LineChoice, setting: LineSetting)? {
        guard case .line(let choice) = sheet, let settings = line(choice)?.line.settings,
            settings.indices.contains(shownRow)
        else { return nil }
        return (choice, settings[shownRow])
    }

    /// Turns a setting on or off. Forwarding asks for the address if the network has none.
    mutating func changeLineSetting() -> [Command] {
        guard let (choice, setting) = selectedSetting else { return [] }
        if setting.isOn { return [.setLine(choice, LineSetting(setting.kind, isOn: false))] }
        if setting.kind.isForwarding, setting.to == nil {
            askForTarget()
            return []
        }
        var changed = setting
        changed.isOn = true
        return [.setLine(choice, changed)]
    }

    mutating func askForTarget() {
        guard let (choice, setting) = selectedSetting, setting.kind.isForwarding else { return }
        prompt = Prompt(.forward(choice, setting.kind))
    }
}
