internal import CallClient
internal import CallModel

extension Phone {
    // MARK: - The prompt

    mutating func finishPrompt() -> [Command] {
        guard let done = prompt else { return [] }
        prompt = nil
        let text = done.text.trimmed
        guard !text.isEmpty else { return [] }
        switch done.purpose {
        case .tones, .conversation: return []
        case .transfer(let call): return [.request(.transfer(Handle(typed: text)), call)]
        case .deflect(let call): return [.request(.deflect(Handle(typed: text)), call)]
        case .block: return [.block(who(typed: text))]
        case .contactName:
            prompt = Prompt(.contactAddress(name: text))
            return []
        case .contactAddress(let name): return [.addContact(name: name, Handle(typed: text))]
        case .period:
            guard let period = WeeklyPeriod(typed: text, names: dayNames) else {
                notice = self.text("dnd.period_form")
                return []
            }
            return [.addPeriod(period)]
        case .forward(let choice, let kind):
            return [.setLine(choice, LineSetting(kind, isOn: true, to: Handle(typed: text)))]
        }
    }

    /// A star at the end stands for all addresses that begin so.
    private func who(typed text: String) -> CallBlock.Who {
        let isPrefix = text.count > 1 && text.hasSuffix("*")
        let address = Handle(typed: isPrefix ? String(text.dropLast()) : text)
        return isPrefix ? .prefix(address) : .handle(address)
    }

    /// What the user's language calls the days, from Monday.
    var dayNames: [String] {
        text("time.weekdays").split(separator: " ").map(String.init)
    }

    mutating func playTone(_ tone: String) -> [Command] {
        guard let call = prompt?.call else { return [] }
        prompt?.text += tone
        return [.request(.tones(tone), call)]
    }

    // MARK: - Real-time text

    mutating func openConversation() {
        guard let call, call.hasText else {
            return noticeNotDone(text("screen.phone.button.conversation"))
        }
        prompt = Prompt(.conversation(call.id))
    }

    /// Sends a character of the open conversation.
    func type(_ character: Character) -> [Command] {
        prompt?.call.map { [.type(String(character), $0)] } ?? []
    }

    // MARK: - The dialer

    mutating func retype(_ text: String) {
        (dialed, selected[.dial]) = (text, -1)
    }

    mutating func leaveDialer() -> [Command] {
        if dialed.isEmpty { return go(to: .calls) }
        retype("")
        return []
    }

    /// Calls the selected suggestion, or what is typed.
    mutating func dial() -> [Command] {
        if suggestions.indices.contains(row) {
            let chosen = suggestions[row]
            let call: Command =
                dialLine.map { .callOn(chosen.address, $0) }
                ?? .callBack(chosen.address, chosen.app)
            return go(to: .calls) + [call]
        }
        guard let link = dialedLink else { return [] }
        dialed = ""
        return go(to: .calls) + [.dial(link, dialLine)]
    }

    /// What is typed, as a link; nil for nothing.
    var dialedLink: String? {
        let text = dialed.trimmed
        return text.isEmpty ? nil : Handle(typed: text).link
    }

    /// Chooses the line after the chosen one; after the last the choice is the broker's again.
    mutating func chooseNextLine() {
        let index = lines.firstIndex { $0.choice == dialLine }
        let next = index.map { $0 + 1 } ?? 0
        dialLine = lines.indices.contains(next) ? lines[next].choice : nil
    }
}

extension String {
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }

    mutating func removeLastIfAny() {
        if !isEmpty { removeLast() }
    }
}
