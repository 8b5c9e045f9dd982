internal import CallClient
internal import CallModel

/// Every key of every place.
package enum KeyTable {
    package static let all: [KeyBinding] =
        everywhere + rows + views + commands + calls + dialer + lists + pages + typing + sheets

    private static let places = Dictionary(grouping: all, by: \.place)

    static func binding(_ place: KeyPlace, _ key: Key) -> KeyBinding? {
        places[place]?.first { $0.key == key }
    }

    static func of(_ place: KeyPlace) -> [KeyBinding] {
        places[place] ?? []
    }

    private static func hint(_ word: String) -> String { "screen.phone.hint." + word }
    private static func button(_ word: String) -> String { "screen.button." + word }

    // MARK: - Around the views

    private static let everywhere: [KeyBinding] = [
        .local(.everywhere, .function(1), hint("help")) { $0.open($0.help) },
        KeyBinding(.everywhere, .function(2), button("allow")) { $0.answerQuestion(.allow) },
        KeyBinding(.everywhere, .function(3), button("deny")) { $0.answerQuestion(.deny) },
        KeyBinding(.everywhere, .function(4), button("later")) { $0.answerQuestion(.later) },
        KeyBinding(.everywhere, .function(5), button("answer")) { phone in
            phone.incoming.map { phone.answer($0) } ?? []
        },
        KeyBinding(.everywhere, .function(6), button("decline")) { phone in
            phone.incoming.map { [.request(.end, $0.id)] } ?? []
        },
    ]

    private static let rows: [KeyBinding] = [
        .local(.rows, .up, nil) { $0.move(by: -1) }, .local(.rows, .down, nil) { $0.move(by: 1) },
        .local(.rows, .pageUp, nil) { $0.move(by: -10) },
        .local(.rows, .pageDown, nil) { $0.move(by: 10) },
        .local(.rows, .home, nil) { $0.move(by: -$0.shownRowCount) },
        .local(.rows, .end, nil) { $0.move(by: $0.shownRowCount) },
    ]

    private static let views: [KeyBinding] = [
        KeyBinding(.views, .tab, hint("next_view")) { $0.go(toNeighbor: 1) },
        KeyBinding(.views, .backTab, nil) { $0.go(toNeighbor: -1) },
    ]

    private static let commands: [KeyBinding] =
        [
            KeyBinding(.commands, .character("q"), hint("quit")) { _ in [.quit] },
            .local(.commands, .character("?"), hint("help")) { $0.open($0.help) },
            .local(.commands, .character("j"), nil) { $0.move(by: 1) },
            .local(.commands, .character("k"), nil) { $0.move(by: -1) },
            KeyBinding(.commands, .character("z"), hint("quiet")) {
                [.doNotDisturb(!$0.doesNotDisturb)]
            },
            .local(.commands, .character("Z"), hint("schedule")) { $0.open(.schedule) },
            KeyBinding(.commands, .character("c"), hint("new_call")) { $0.go(to: .dial) },
        ]
        + Tab.allCases.enumerated().map { index, tab in
            KeyBinding(.commands, .character(digit(index + 1)), "screen.phone.tab." + tab.rawValue)
            { $0.go(to: tab) }
        }

    private static func digit(_ number: Int) -> Character { Character(String(number)) }

    // MARK: - Views

    private static let calls: [KeyBinding] =
        CallButton.keys.map { key in
            KeyBinding(.calls, .character(key), nil) { $0.press(button: key) }
        } + [
            KeyBinding(.calls, .character("y"), "screen.phone.why") { phone in
                phone.call.map { [.explain($0.id)] } ?? []
            },
            .local(.calls, .character("i"), "screen.phone.what_if") { phone in
                if let call = phone.call { phone.menu = phone.whatIfMenu(call) }
            },
            KeyBinding(.calls, .character("b"), "screen.phone.button.block") { phone in
                (phone.call?.remote).map { [.block(.handle($0))] } ?? []
            },
            KeyBinding(.calls, .character("T"), button("continue_tones")) {
                $0.decideOnTones(isWanted: true)
            },
            KeyBinding(.calls, .character("D"), button("drop_tones")) {
                $0.decideOnTones(isWanted: false)
            },
            .local(.calls, .character("R"), "screen.phone.button.conversation") {
                $0.openConversation()
            },
            .local(.calls, .character("P"), "screen.phone.button.participants") {
                $0.openParticipants()
            },
        ]

    private static let dialer: [KeyBinding] = [
        KeyBinding(.dial, .enter, hint("call")) { $0.dial() },
        .local(.dial, .backspace, nil) { $0.retype(String($0.dialed.dropLast())) },
        .local(.dial, .control("u"), nil) { $0.retype("") },
        KeyBinding(.dial, .function(7), "screen.phone.what_if") { phone in
            phone.dialedLink.map { [.tryOutDial($0, phone.dialLine)] } ?? []
        },
        .local(.dial, .function(8), hint("line")) { $0.chooseNextLine() },
        KeyBinding(.dial, .escape, hint("back")) { $0.leaveDialer() },
    ]

    private static let lists: [KeyBinding] =
        [KeyPlace.missed, .contacts, .blocked, .settings, .plugins, .lines].map { place in
            KeyBinding(place, .escape, nil) { $0.go(to: .calls) }
        } + missed + contacts + [
            .local(.blocked, .character("n"), hint("new")) { $0.prompt = Prompt(.block) },
            KeyBinding(.blocked, .character("x"), hint("remove")) { $0.unblock() },
            KeyBinding(.blocked, .delete, nil) { $0.unblock() },
            KeyBinding(.settings, .enter, hint("change")) { $0.changeSetting() },
            KeyBinding(.settings, .character(" "), nil) { $0.changeSetting() },
            KeyBinding(.plugins, .character("r"), hint("restart")) { $0.restartPlugin() },
            .local(.lines, .enter, hint("line_settings")) { $0.openLine() },
            KeyBinding(.lines, .character("v"), hint("voicemail")) { $0.callVoicemail() },
        ]

    private static let missed: [KeyBinding] = [
        KeyBinding(.missed, .enter, button("call_back")) { $0.callBackMissed() },
        KeyBinding(.missed, .character("s"), hint("seen")) { _ in [.markSeen] },
        KeyBinding(.missed, .character("b"), "screen.phone.button.block") { $0.blockMissed() },
        KeyBinding(.missed, .character("x"), hint("remove")) { $0.removeMissed() },
        KeyBinding(.missed, .delete, nil) { $0.removeMissed() },
    ]

    private static let contacts: [KeyBinding] = [
        KeyBinding(.contacts, .enter, hint("call")) { $0.callContact() },
        .local(.contacts, .character("n"), hint("new")) { $0.prompt = Prompt(.contactName) },
        KeyBinding(.contacts, .character("f"), hint("favorite")) {
            $0.changeContact { $0.isFavorite.toggle() }
        },
        KeyBinding(.contacts, .character("t"), hint("breaks_through")) {
            $0.changeContact { $0.breaksThrough.toggle() }
        },
        KeyBinding(.contacts, .character("x"), hint("remove")) { $0.removeContact() },
        KeyBinding(.contacts, .delete, nil) { $0.removeContact() },
    ]

    // MARK: - Over the views

    private static let pages: [KeyBinding] =
        [
            .local(.page, .up, nil) { $0.scrollPage(by: -1) },
            .local(.page, .character("k"), nil) { $0.scrollPage(by: -1) },
            .local(.page, .down, nil) { $0.scrollPage(by: 1) },
            .local(.page, .character("j"), nil) { $0.scrollPage(by: 1) },
            .local(.page, .pageUp, nil) { $0.scrollPage(by: -10) },
            .local(.page, .pageDown, nil) { $0.scrollPage(by: 10) },
            .local(.page, .character(" "), nil) { $0.scrollPage(by: 10) },
            .local(.page, .escape, hint("close")) { $0.page = nil },
            .local(.menu, .up, nil) { $0.moveInMenu(by: -1) },
            .local(.menu, .character("k"), nil) { $0.moveInMenu(by: -1) },
            .local(.menu, .down, nil) { $0.moveInMenu(by: 1) },
            .local(.menu, .character("j"), nil) { $0.moveInMenu(by: 1) },
            KeyBinding(.menu, .enter, hint("choose")) { $0.choose($0.menu?.selected ?? 0) },
            KeyBinding(.menu, .character(" "), nil) { $0.choose($0.menu?.selected ?? 0) },
            .local(.menu, .escape, hint("cancel")) { $0.menu = nil },
        ]
        + (1...9).map { number in
            KeyBinding(.menu, .character(digit(number)), nil) { $0.choose(number - 1) }
        }

    private static let typing: [KeyBinding] =
        [
            KeyBinding(.prompt, .enter, hint("done")) { $0.finishPrompt() },
            .local(.prompt, .backspace, nil) { $0.prompt?.text.removeLastIfAny() },
            .local(.prompt, .control("u"), nil) { $0.prompt?.text = "" },
            .local(.prompt, .escape, hint("cancel")) { $0.prompt = nil },
            .local(.keypad, .enter, nil) { $0.prompt = nil },
            .local(.keypad, .escape, hint("close")) { $0.prompt = nil },
            KeyBinding(.conversation, .enter, hint("new_line")) { $0.type("\u{2028}") },
            KeyBinding(.conversation, .backspace, nil) { $0.type("\u{8}") },
            .local(.conversation, .escape, hint("close")) { $0.prompt = nil },
        ]
        + "0123456789*#ABCDabcd".map { tone in
            KeyBinding(.keypad, .character(tone), nil) { $0.playTone(tone.uppercased()) }
        }

    private static let sheets: [KeyBinding] =
        [
            KeyBinding(.participants, .character("m"), "screen.phone.button.mute") {
                $0.changeParticipant(.muted)
            },
            KeyBinding(.participants, .character("h"), hint("hand")) {
                $0.changeParticipant(.handRaised)
            },
            KeyBinding(.schedule, .character("z"), hint("quiet")) {
                [.doNotDisturb(!$0.doesNotDisturb)]
            },
            KeyBinding(.schedule, .character("o"), hint("hour")) { _ in [.doNotDisturbForAnHour] },
            .local(.schedule, .character("n"), hint("new")) { $0.prompt = Prompt(.period) },
            KeyBinding(.schedule, .character("x"), hint("remove")) { $0.removePeriod() },
            KeyBinding(.schedule, .delete, nil) { $0.removePeriod() },
            KeyBinding(.line, .enter, hint("change")) { $0.changeLineSetting() },
            KeyBinding(.line, .character(" "), nil) { $0.changeLineSetting() },
            .local(.line, .character("t"), hint("forward_to")) { $0.askForTarget() },
        ]
        + [KeyPlace.participants, .schedule, .line].map { place in
            .local(place, .escape, hint("close")) { $0.sheet = nil }
        }
}
