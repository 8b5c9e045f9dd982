internal import CallClient
internal import CallModel

extension Phone {
    // MARK: - The prompt

    mutating func pressInPrompt(_ key: Key) -> [Command] {
        guard let shown = prompt else { return [] }
        switch key {
        case .escape: prompt = nil
        case .enter:
            prompt = nil
            return finish(shown)
        case .backspace: if !shown.isKeypad { prompt?.text = String(shown.text.dropLast()) }
        case .control("u"): if !shown.isKeypad { prompt?.text = "" }
        case .character(let character):
            guard case .tones(let call) = shown.purpose else {
                prompt?.text.append(character)
                return []
            }
            let tone = character.uppercased()
            guard "0123456789*#ABCD".contains(tone) else { return [] }
            prompt?.text += tone
            return [.request(.tones(tone), call)]
        default: break
        }
        return []
    }

    private mutating func finish(_ done: Prompt) -> [Command] {
        let text = done.text.trimmed
        guard !text.isEmpty else { return [] }
        switch done.purpose {
        case .tones: return []
        case .transfer(let call): return [.request(.transfer(Handle(typed: text)), call)]
        case .deflect(let call): return [.request(.deflect(Handle(typed: text)), call)]
        case .block:
            // A star at the end stands for all addresses that begin so.
            let isPrefix = text.count > 1 && text.hasSuffix("*")
            let address = Handle(typed: isPrefix ? String(text.dropLast()) : text)
            return [.block(isPrefix ? .prefix(address) : .handle(address))]
        case .contactName:
            prompt = Prompt(.contactAddress(name: text))
            return []
        case .contactAddress(let name): return [.addContact(name: name, Handle(typed: text))]
        }
    }

    // MARK: - The dialer

    mutating func pressInDialer(_ key: Key) -> [Command] {
        switch key {
        case .escape:
            if dialed.isEmpty { return go(to: .calls) }
            dialed = ""
        case .backspace: dialed = String(dialed.dropLast())
        case .control("u"): dialed = ""
        case .function(7): return dialedLink.map { [.tryOutDial($0)] } ?? []
        case .enter:
            let chosen = suggestions.indices.contains(row) ? suggestions[row] : nil
            guard let chosen else { return dial() }
            return go(to: .calls) + [.callBack(chosen.address, chosen.app)]
        case .character(let character):
            dialed.append(character)
        default: return []
        }
        selected[.dial] = -1
        return []
    }

    private mutating func dial() -> [Command] {
        guard let link = dialedLink else { return [] }
        dialed = ""
        return go(to: .calls) + [.dial(link)]
    }

    /// What is typed, as a link; nil for nothing.
    private var dialedLink: String? {
        let text = dialed.trimmed
        return text.isEmpty ? nil : Handle(typed: text).link
    }

    // MARK: - Lists

    mutating func pressInList(_ key: Key) -> [Command] {
        if key == .escape { return go(to: .calls) }
        switch tab {
        case .missed: return pressInMissed(key)
        case .contacts: return pressInContacts(key)
        case .blocked: return pressInBlocked(key)
        case .settings:
            guard key == .enter || key == .character(" "), settings.indices.contains(row) else {
                return []
            }
            return [.set(settings[row].name, settings[row].next)]
        case .plugins:
            guard key == .character("r"), plugins.indices.contains(row) else { return [] }
            return [.restartPlugin(plugins[row].id)]
        case .calls, .dial: return []
        }
    }

    private mutating func pressInMissed(_ key: Key) -> [Command] {
        if key == .character("s") { return [.markSeen] }
        guard missed.indices.contains(row) else { return [] }
        let past = missed[row]
        switch (key, past.remote) {
        case (.enter, let remote?): return go(to: .calls) + [.callBack(remote, past.app)]
        case (.character("b"), let remote?): return [.block(.handle(remote))]
        case (.character("x"), _), (.delete, _): return [.removePast(past.id)]
        default: return []
        }
    }

    private mutating func pressInContacts(_ key: Key) -> [Command] {
        if key == .character("n") {
            prompt = Prompt(.contactName)
            return []
        }
        guard contacts.indices.contains(row) else { return [] }
        var contact = contacts[row]
        switch key {
        case .enter:
            guard let first = contact.handles.first else { return [] }
            return go(to: .calls) + [.callBack(first, contact.provider)]
        case .character("f"):
            contact.isFavorite.toggle()
            return [.putContact(contact)]
        case .character("t"):
            contact.breaksThrough.toggle()
            return [.putContact(contact)]
        case .character("x"), .delete: return [.removeContact(contact.id)]
        default: return []
        }
    }

    private mutating func pressInBlocked(_ key: Key) -> [Command] {
        if key == .character("n") {
            prompt = Prompt(.block)
            return []
        }
        guard key == .character("x") || key == .delete, blocks.indices.contains(row) else {
            return []
        }
        return [.unblock(blocks[row].who)]
    }
}

extension String {
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
