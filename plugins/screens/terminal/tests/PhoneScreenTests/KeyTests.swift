import CallClient
import CallModel
import Testing

@testable import PhoneScreen

/// What keys mean, without a terminal and without a broker.
struct KeyTests {
    private let ann = Samples.ringing(1, "Ann", .answer)
    private let bob = Samples.active(2, "Bob")

    @Test func `a answers the call that rings, whichever is selected`() {
        var phone = Samples.phone(bob, ann)
        #expect(phone.call?.id == bob.id)
        #expect(phone.press(.character("a")) == [.request(.answer(.answer), ann.id)])
        #expect(phone.press(.character("d")) == [.request(.end, ann.id)])
    }

    @Test func `a holds the other call where that is possible`() {
        var phone = Samples.phone(bob, Samples.ringing(1, "Ann", .answer, .holdAndAnswer))
        #expect(phone.press(.character("a")) == [.request(.answer(.holdAndAnswer), ann.id)])
    }

    @Test func `an incoming call moves no selection`() {
        var phone = Samples.phone(bob)
        phone.show([ann, bob])
        #expect(phone.press(.character("e")) == [.request(.end, bob.id)])
    }

    @Test func `the selection of an ended call goes to its neighbor`() {
        var phone = Samples.phone(ann, bob)
        _ = phone.press(.down)
        phone.show([ann])
        #expect(phone.call?.id == ann.id)
    }

    @Test func `what is not allowed is told`() {
        var phone = Samples.phone(bob)
        #expect(phone.press(.character("g")) == [])
        #expect(phone.notice == "Merge: not done")
    }

    @Test(arguments: [
        ("h" as Character, CallRequest.hold(true)), ("m", .mute(true)), ("e", .end),
    ])
    func `a key requests what its button says`(key: Character, request: CallRequest) {
        var phone = Samples.phone(bob)
        #expect(phone.press(.character(key)) == [.request(request, bob.id)])
    }

    @Test(arguments: [
        (Verb.resume, "h" as Character, CallRequest.hold(false)), (.unmute, "m", .mute(false)),
        (.swap, "w", .swap(nil)), (.split, "u", .split), (.pull, "p", .pull),
        (.setText, "r", .text(true)), (.endAndAnswer, "E", .answer(.endAndAnswer)),
        (.endHeldAndAnswer, "L", .answer(.endHeldAndAnswer)), (.silence, "s", .silence),
    ])
    func `each verb has its key`(verb: Verb, key: Character, request: CallRequest) {
        var call = bob
        call.allowed = [verb]
        var phone = Samples.phone(call)
        #expect(phone.press(.character(key)) == [.request(request, call.id)])
    }

    @Test func `all verbs have a button`() {
        #expect(Set(CallButton.all.map(\.verb)) == Set(Verb.allCases))
    }

    @Test func `tones are sent while they are typed`() {
        var phone = Samples.phone(bob)
        #expect(phone.press(.character("t")) == [])
        #expect(phone.press(.character("5")) == [.request(.tones("5"), bob.id)])
        #expect(phone.press(.character("#")) == [.request(.tones("#"), bob.id)])
        #expect(phone.press(.character("q")) == [])
        #expect(phone.prompt?.text == "5#")
        _ = phone.press(.escape)
        #expect(phone.prompt == nil)
    }

    @Test func `a transfer asks for the address`() {
        var phone = Samples.phone(bob)
        _ = phone.press(.character("x"))
        for key in "+1 555" { _ = phone.press(.character(key)) }
        let address = Handle(kind: .phone, value: "+1555")
        #expect(phone.press(.enter) == [.request(.transfer(address), bob.id)])
        #expect(phone.prompt == nil)
    }

    @Test func `a prompt about a call that ends is closed`() {
        var phone = Samples.phone(bob)
        _ = phone.press(.character("x"))
        phone.show([])
        #expect(phone.prompt == nil)
    }

    @Test func `several choices are a menu, one is done at once`() {
        var call = bob
        call.allowed = [.merge]
        call.mergeWith = [ann.id]
        var phone = Samples.phone(call, ann)
        #expect(phone.press(.character("g")) == [.request(.merge(ann.id), bob.id)])
        call.mergeWith = [ann.id, Samples.id(3)]
        phone.show([call, ann])
        #expect(phone.press(.character("g")) == [])
        #expect(phone.press(.character("2")) == [.request(.merge(Samples.id(3)), bob.id)])
    }

    @Test func `the sound goes where the menu says`() {
        var call = bob
        call.allowed = [.setEndpoint]
        call.endpoints = [
            AudioEndpoint(id: "ear", kind: .earpiece, state: .inUse),
            AudioEndpoint(id: "hall", kind: .speaker, name: "Hall"),
            AudioEndpoint(id: "gone", kind: .bluetooth, state: .unavailable),
        ]
        var phone = Samples.phone(call)
        _ = phone.press(.character("o"))
        #expect(phone.menu?.items.map(\.label) == ["ear (in use)", "Hall"])
        _ = phone.press(.down)
        #expect(phone.press(.enter) == [.request(.endpoint("hall"), bob.id)])
    }

    @Test func `what if tries out what is allowed`() {
        var phone = Samples.phone(bob)
        _ = phone.press(.character("i"))
        #expect(phone.menu?.items.first?.command == .tryOut(.end, bob.id))
        #expect(phone.press(.character("1")) == [.tryOut(.end, bob.id)])
        #expect(phone.press(.character("y")) == [.explain(bob.id)])
    }

    @Test func `a request for text is accepted or declined`() {
        var call = bob
        (call.allowed, call.isTextRequested) = ([.setText], true)
        var phone = Samples.phone(call)
        #expect(phone.press(.character("r")) == [])
        #expect(phone.menu?.items.map(\.label) == ["Accept text", "No text"])
        #expect(phone.press(.character("2")) == [.request(.text(false), bob.id)])
    }

    @Test func `what is typed in a conversation goes to its call, each key at once`() {
        var call = bob
        var phone = Samples.phone(call)
        _ = phone.press(.character("R"))
        #expect(phone.prompt == nil && phone.notice == "Type: not done")
        call.hasText = true
        phone.show([call])
        _ = phone.press(.character("R"))
        for key in "q?" {
            #expect(phone.press(.character(key)) == [.type(String(key), bob.id)])
        }
        #expect(phone.press(.backspace) == [.type("\u{8}", bob.id)])
        #expect(phone.press(.enter) == [.type("\u{2028}", bob.id)])
        phone.show([])
        #expect(phone.prompt == nil)
    }

    @Test func `a participant is changed as far as the conference lets`() {
        var phone = Samples.phone(bob)
        var ada = Participant(id: "1", name: "Ada")
        ada.changeable = [.muted]
        phone.show([ada], of: bob.id)
        _ = phone.press(.character("P"))
        #expect(phone.sheet == .participants(bob.id))
        #expect(phone.press(.character("m")) == [.change(.muted, true, participant: "1", bob.id)])
        #expect(phone.press(.character("h")) == [])
        #expect(phone.notice == "The conference does not let you change that")
        phone.show([])
        #expect(phone.sheet == nil && phone.participants.isEmpty)
    }

    // MARK: - Typing

    @Test func `what is typed in the dialer is text, and no command`() {
        var phone = Samples.phone(ann)
        #expect(phone.press(.character("c")) == [.load(.dial)])
        for key in "qad" { #expect(phone.press(.character(key)) == []) }
        #expect(phone.dialed == "qad")
        #expect(phone.press(.function(5)) == [.request(.answer(.answer), ann.id)])
        #expect(phone.press(.function(6)) == [.request(.end, ann.id)])
    }

    @Test(arguments: [
        ("+1 555 0100", "tel:+15550100"), ("sip:ann@example.org", "sip:ann@example.org"),
        ("ann@example.org", "mailto:ann@example.org"), ("tel:112", "tel:112"),
    ])
    func `Enter dials what is typed`(typed: String, link: String) {
        var phone = Samples.phone()
        _ = phone.press(.character("2"))
        for key in typed { _ = phone.press(.character(key)) }
        #expect(phone.press(.function(7)) == [.tryOutDial(link, nil)])
        #expect(phone.press(.enter) == [.dial(link, nil)])
        #expect(phone.tab == .calls && phone.dialed == "")
    }

    @Test func `the app is chosen where several can call`() {
        var phone = Samples.phone()
        phone.chooseApp { .dialWith("tel:1", $0) }
        #expect(phone.menu?.items.map(\.label) == ["Desk phone", "Web calls"])
        #expect(phone.press(.character("2")) == [.dialWith("tel:1", Samples.web)])
    }

    @Test func `a contact is called by a part of its name`() {
        var phone = Samples.phone()
        let number = Handle(kind: .phone, value: "+15550142")
        phone.contacts = [
            HostContact(id: "1", name: "Zoe", handles: [Handle(kind: .phone, value: "+1999")]),
            HostContact(id: "2", name: "Carla", handles: [number], isFavorite: true),
        ]
        _ = phone.press(.character("2"))
        #expect(phone.suggestions.map(\.name) == ["Carla", "Zoe"])
        for key in "carl" { _ = phone.press(.character(key)) }
        _ = phone.press(.down)
        #expect(phone.press(.enter) == [.callBack(number, nil)])
    }

    @Test(arguments: [
        ("+1 555 0100;42", "tel:+15550100w42"), ("112,,3*#", "tel:112,,3*#"),
        ("555p1w2", "tel:555p1w2"), ("pw1", "pw1"), ("555;x", "555;x"),
    ])
    func `tones may follow a dialed number behind a pause`(typed: String, link: String) {
        #expect(Handle(typed: typed).link == link)
    }

    @Test func `a line is chosen for what is dialed`() {
        var phone = Samples.phone()
        phone.lines = ["work", "home"].map { LineRow(Samples.desk, Line(id: $0, label: $0)) }
        _ = phone.press(.character("2"))
        for key in "112" { _ = phone.press(.character(key)) }
        let link = "tel:112"
        var lines: [LineChoice?] = []
        for _ in 0..<3 {
            _ = phone.press(.function(8))
            lines.append(phone.dialLine)
            #expect(phone.press(.function(7)) == [.tryOutDial(link, phone.dialLine)])
        }
        let choices = [LineChoice(Samples.desk, "work"), LineChoice(Samples.desk, "home")]
        #expect(lines == choices + [nil])
        _ = phone.press(.function(8))
        #expect(phone.press(.enter) == [.dial(link, choices[0])])
    }

    // MARK: - Lists

    @Test func `each list has its keys`() {
        var phone = Samples.phone()
        var past = PastRow(7, Samples.web)
        past.remote = ann.remote
        phone.missed = [past]
        #expect(phone.press(.character("3")) == [.load(.missed)])
        #expect(phone.press(.character("x")) == [.removePast(7)])
        #expect(phone.press(.character("s")) == [.markSeen])
        #expect(phone.press(.character("z")) == [.doNotDisturb(true)])
        let remote = Handle(kind: .phone, value: "+15550101")
        #expect(phone.press(.character("b")) == [.block(.handle(remote))])
        #expect(phone.press(.enter) == [.callBack(remote, Samples.web)])
    }

    @Test func `a block ends with a star for all that begin so`() {
        var phone = Samples.phone()
        _ = phone.press(.character("5"))
        _ = phone.press(.character("n"))
        for key in "+1900*" { _ = phone.press(.character(key)) }
        #expect(phone.press(.enter) == [.block(.prefix(Handle(kind: .phone, value: "+1900")))])
        phone.blocks = [BlockRow(.handle(Handle(kind: .phone, value: "+1")))]
        #expect(
            phone.press(.character("x")) == [.unblock(.handle(Handle(kind: .phone, value: "+1")))])
    }

    @Test func `a contact is added in two lines, and changed by keys`() {
        var phone = Samples.phone()
        _ = phone.press(.character("4"))
        _ = phone.press(.character("n"))
        for key in "Ann" { _ = phone.press(.character(key)) }
        #expect(phone.press(.enter) == [])
        for key in "+15" { _ = phone.press(.character(key)) }
        let handle = Handle(kind: .phone, value: "+15")
        #expect(phone.press(.enter) == [.addContact(name: "Ann", handle)])
        var contact = HostContact(id: "1", name: "Ann", handles: [handle])
        phone.contacts = [contact]
        contact.isFavorite = true
        #expect(phone.press(.character("f")) == [.putContact(contact)])
        contact.isFavorite = false
        contact.breaksThrough = true
        #expect(phone.press(.character("t")) == [.putContact(contact)])
        #expect(phone.press(.delete) == [.removeContact("1")])
    }

    @Test func `a setting goes to its next value`() {
        var phone = Samples.phone()
        phone.settings = [Setting(.onHoldFailure, "keep"), Setting(.busyInCall, "on")]
        _ = phone.press(.character("6"))
        #expect(phone.press(.enter) == [.set(.onHoldFailure, "end")])
        _ = phone.press(.down)
        #expect(phone.press(.enter) == [.set(.busyInCall, "off")])
    }

    @Test func `a plugin is restarted, and q quits`() {
        var phone = Samples.phone()
        phone.plugins = [PluginRow("org.p", "P", "ready", about: "")]
        _ = phone.press(.character("7"))
        #expect(phone.press(.character("r")) == [.restartPlugin("org.p")])
        #expect(phone.press(.character("q")) == [.quit])
    }

    @Test func `a question is answered by keys that no text has`() {
        var phone = Samples.phone()
        #expect(phone.press(.function(2)) == [])
        phone.add(Question(subject: "calls", app: Samples.web, name: nil, program: nil))
        #expect(phone.press(.function(2)) == [.answer(.allow)])
        #expect(phone.press(.function(3)) == [.answer(.deny)])
        #expect(phone.press(.function(4)) == [.answer(.later)])
    }

    @Test func `help is read and closed`() {
        var phone = Samples.phone()
        _ = phone.press(.character("?"))
        #expect(phone.page?.title.hasPrefix("Keys") == true)
        _ = phone.press(.down)
        #expect(phone.page?.first == 1)
        _ = phone.press(.escape)
        #expect(phone.page == nil)
    }

    @Test func `no sequence of keys leaves the rows`() {
        var random = SystemRandomNumberGenerator()
        let seed = random.next()
        var state = seed
        var phone = Samples.phone(ann, bob)
        let keys: [Key] =
            [.enter, .escape, .up, .down, .pageUp, .pageDown, .home, .end, .tab, .backTab]
            + [.backspace, .delete] + (1...12).map { .function($0) }
            + " abcdefghijklmnopqrstuvwxyzELX1234567?*#".map { .character($0) }
        for step in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            _ = phone.press(keys[Int(state >> 33) % keys.count])
            if step % 50 == 0 { phone.show(step % 100 == 0 ? [] : [bob, ann]) }
            let size = Size(rows: Int(state >> 50) % 30, columns: Int(state >> 40) % 130)
            let picture = phone.draw(size, Samples.clock)
            let fits = picture.runs.allSatisfy { run in
                run.row < size.rows
                    && run.column + run.glyphs.reduce(0) { $0 + $1.width } <= size.columns
            }
            #expect(fits, "seed \(seed), step \(step)")
        }
    }
}
