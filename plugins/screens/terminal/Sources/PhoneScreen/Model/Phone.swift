package import CallClient
package import CallModel

/// Everything that the screen shows, and what keys do to it.
package struct Phone: Sendable {
    /// The calls, in the order in which they came.
    package internal(set) var calls: [ShownCall] = []
    /// The names of the apps.
    package var appNames: [ProviderID: String] = [:]
    package internal(set) var tab = Tab.calls
    /// The selected row of each view but that of calls.
    var selected: [Tab: Int] = [:]
    var selectedCall: CallID?
    /// What is typed in the dialer.
    package internal(set) var dialed = ""
    package internal(set) var prompt: Prompt?
    package internal(set) var menu: Menu?
    package internal(set) var page: Page?
    package internal(set) var sheet: Sheet?
    var sheetRow = 0
    /// What has happened to the last request.
    package var notice = ""
    /// The questions of apps, oldest first.
    package internal(set) var questions: [Question] = []
    /// Why there is no broker; nil while there is one.
    package var awayReason: String?
    /// True until there is a first session.
    package var isConnecting = false
    package var history: [PastRow] = []
    package var missed: [PastRow] = []
    package var contacts: [HostContact] = []
    package var blocks: [BlockRow] = []
    package var settings: [Setting] = []
    package var plugins: [PluginRow] = []
    package var missedCount = 0
    package var doesNotDisturb = false
    package var schedule: [WeeklyPeriod] = []
    package var lines: [LineRow] = []
    /// The line to call on; nil leaves it to the broker.
    package internal(set) var dialLine: LineChoice?
    package internal(set) var participants: [CallID: [Participant]] = [:]
    package internal(set) var conversations: [CallID: Conversation] = [:]
    package internal(set) var qualities: [CallID: CallQuality] = [:]
    let messages: ScreenTexts

    package init(_ messages: ScreenTexts) {
        self.messages = messages
    }

    // MARK: - What the broker says

    /// Replaces the calls. The selection stays with its call; it moves only when that call is gone.
    package mutating func show(_ calls: [ShownCall]) {
        let index = self.calls.firstIndex { $0.id == selectedCall } ?? 0
        self.calls = calls
        if !calls.contains(where: { $0.id == selectedCall }) {
            selectedCall = calls.isEmpty ? nil : calls[min(index, calls.count - 1)].id
        }
        forgetGoneCalls()
    }

    /// A dialog about a call that has ended would act on nothing, and what was known of it is not kept.
    private mutating func forgetGoneCalls() {
        let ids = Set(calls.map(\.id))
        if let call = prompt?.call, !ids.contains(call) { prompt = nil }
        if let call = sheet?.call, !ids.contains(call) { sheet = nil }
        let isStale = menu?.items.contains { item in
            switch item.command {
            case .request(_, let call), .tryOut(_, let call): !ids.contains(call)
            default: false
            }
        }
        if isStale == true { menu = nil }
        participants = participants.filter { ids.contains($0.key) }
        conversations = conversations.filter { ids.contains($0.key) }
        qualities = qualities.filter { ids.contains($0.key) }
    }

    package mutating func show(_ participants: [Participant], of call: CallID) {
        guard calls.contains(where: { $0.id == call }) else { return }
        self.participants[call] = participants.isEmpty ? nil : participants
    }

    package mutating func show(_ quality: CallQuality, of call: CallID) {
        guard calls.contains(where: { $0.id == call }) else { return }
        qualities[call] = quality
    }

    package mutating func add(_ typed: CallText, to call: CallID) {
        guard calls.contains(where: { $0.id == call }) else { return }
        conversations[call, default: Conversation()].add(typed)
    }

    package mutating func add(_ question: Question) {
        questions.append(question)
    }

    /// Removes a question that is answered, or that the broker has withdrawn.
    package mutating func remove(_ question: Question) {
        questions.removeAll { $0 == question }
    }

    package mutating func noticeBlocked() {
        notice = text("screen.phone.blocked_now")
    }

    /// Asks which app is to call, after the broker could not tell.
    package mutating func chooseApp(_ command: (ProviderID) -> Command) {
        let apps = appNames.keys.sorted().map { Menu.Item(name(of: $0), command($0)) }
        menu = Menu(text("screen.phone.which_app"), apps)
    }

    package mutating func open(_ page: Page) {
        (self.page, menu, prompt, sheet) = (page, nil, nil, nil)
    }

    // MARK: - What is selected

    /// The call that keys act on.
    package var call: ShownCall? {
        calls.first { $0.id == selectedCall } ?? calls.first
    }

    /// The call that the user has to decide about first.
    package var incoming: ShownCall? {
        calls.first { $0.isIncoming && $0.state == .ringing } ?? calls.first(where: \.isIncoming)
    }

    /// The number of rows of the current view.
    var rowCount: Int {
        switch tab {
        case .calls: calls.count
        case .dial: suggestions.count
        case .missed: missed.count
        case .contacts: contacts.count
        case .blocked: blocks.count
        case .settings: settings.count
        case .plugins: plugins.count
        case .lines: lines.count
        }
    }

    /// The selected row; -1 in the dialer stands for the typed line.
    package var row: Int {
        if tab == .calls { return calls.firstIndex { $0.id == call?.id } ?? 0 }
        let lowest = tab == .dial ? -1 : 0
        return max(lowest, min(selected[tab] ?? lowest, rowCount - 1))
    }

    /// Selects a row of the current view.
    mutating func select(_ row: Int) {
        let lowest = tab == .dial ? -1 : 0
        let valid = max(lowest, min(row, rowCount - 1))
        if tab == .calls {
            selectedCall = calls.indices.contains(valid) ? calls[valid].id : nil
        } else {
            selected[tab] = valid
        }
    }

    /// Indicates whether a time on the screen runs.
    package var hasRunningTimes: Bool {
        tab == .calls && page == nil && sheet == nil
            && calls.contains { $0.connectedAtMS != nil || $0.isIncoming }
    }

    // MARK: - Words

    func text(_ key: String, _ values: [String: String] = [:], count: Int? = nil) -> String {
        messages.text(key, values, count: count)
    }

    /// Returns who a call is with, as well as anybody knows.
    package func name(of call: ShownCall) -> String {
        for name in [call.name, call.remote?.value] {
            if let name = name?.shown, !name.allSatisfy({ $0 == " " }) { return name }
        }
        return text("screen.unknown_caller")
    }

    func name(of app: ProviderID) -> String {
        let name = appNames[app]?.shown ?? ""
        return name.isEmpty ? app.name : name
    }

    func name(of id: CallID) -> String {
        calls.first { $0.id == id }.map { name(of: $0) } ?? String(id.description.prefix(8))
    }
}
