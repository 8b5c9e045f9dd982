import CallModel
import Foundation
import Testing

@testable import PhoneScreen

/// What is drawn where. The whole pictures are in `tests/pictures`, as a real terminal shows them.
struct DrawingTests {
    private let ann = Samples.ringing(1, "Ann", .answer)
    private let bob = Samples.active(2, "Bob")

    private func lines(_ phone: Phone, _ columns: Int = 80, _ rows: Int = 24) -> [String] {
        phone.draw(Size(rows: rows, columns: columns), Samples.clock).lines
    }

    @Test func `the call that rings is above every view`() {
        var phone = Samples.phone(bob, ann)
        for tab in Tab.allCases {
            _ = phone.click(.tab(tab))
            let line = lines(phone)[1]
            #expect(line.hasPrefix(" Incoming call: Ann +15550101"), "\(tab): \(line)")
            #expect(line.contains("[F5] Answer [F6] Decline"), "\(tab): \(line)")
        }
    }

    @Test(arguments: ["ar", "de", "en", "fr"])
    func `the titles of all tabs are whole in 80 columns`(language: String) {
        var phone = Samples.phone(language: language)
        phone.show((1...9).map { Samples.active(UInt64($0), "Caller \($0)") })
        phone.missedCount = 99
        for tab in Tab.allCases {
            _ = phone.click(.tab(tab))
            let line = lines(phone)[0]
            for (index, each) in Tab.allCases.enumerated() {
                #expect(line.contains("\(index + 1)\(phone.title(of: each))"), "\(line)")
            }
            #expect(line.contains("(9)") && line.contains("(99)"), "\(line)")
        }
    }

    @Test func `tabs come closer and lose their spaces before a title is cut`() {
        var phone = Samples.phone(bob)
        #expect(lines(phone, 100)[0].hasPrefix(" 1 Calls (1)  2 Dial  3 Missed  "))
        #expect(lines(phone)[0].hasPrefix(" 1 Calls (1) 2 Dial 3 Missed "))
        phone.missedCount = 12
        #expect(lines(phone)[0].hasPrefix("1Calls(1) 2Dial 3Missed(12) "))
        #expect(lines(phone, 60)[0].hasPrefix("1Calls(1) 2Dial 3Mis…(12) 4Con… "))
    }

    @Test func `tones that wait behind a pause are told`() throws {
        var call = bob
        call.pausedTones = PausedTones("42;#", until: .user)
        #expect(lines(Samples.phone(call)).contains { $0.contains("now? 42;#") })
        for button in ["[T] Send tones", "[D] Drop tones"] {
            #expect(lines(Samples.phone(call)).contains { $0.contains(button) })
        }
        call.pausedTones = PausedTones("42", until: .time)
        #expect(lines(Samples.phone(call)).contains { $0.contains("after a pause: 42") })
    }

    @Test func `states and times are in the rows`() {
        let text = lines(Samples.phone(bob, ann))
        #expect(text[2].hasPrefix("> Bob "))
        #expect(text[2].contains("active             1:05      Desk phone"))
        #expect(text[3].contains("ringing            0:05      Web calls"))
    }

    @Test func `who is held for whom is told in both calls`() {
        var held = ann
        (held.state, held.heldBecauseOf) = (.held, bob.id)
        var phone = Samples.phone(held, bob)
        #expect(lines(phone).contains { $0.contains("held for Bob") })
        _ = phone.press(.down)
        #expect(lines(phone).contains { $0.contains("holds Ann") })
    }

    @Test func `the details are beside the list where there is room`() {
        let narrow = lines(Samples.phone(bob, ann))
        let wide = lines(Samples.phone(bob, ann), 140)
        #expect(!narrow[3].contains("active · 1:05"))
        #expect(wide[3].contains("active · 1:05 · Desk phone"))
    }

    @Test func `long names leave the other columns in place`() throws {
        var call = bob
        call.name = String(repeating: "山田", count: 40)
        let picture = Samples.phone(call).draw(Samples.usual, Samples.clock)
        let row = try #require(picture.runs.first { $0.row == 2 })
        #expect(row.glyphs.reduce(0) { $0 + $1.width } == 80)
        #expect(picture.lines[2].contains("…  active             1:05"))
    }

    @Test func `a list of many calls shows the selected one`() {
        let calls = (1...60).map { Samples.active(UInt64($0), "Caller \($0).") }
        var phone = Samples.phone()
        phone.show(calls)
        _ = phone.press(.end)
        #expect(lines(phone).contains { $0.hasPrefix("> Caller 60.") })
        _ = phone.press(.home)
        #expect(lines(phone).contains { $0.hasPrefix("> Caller 1.") })
    }

    @Test func `a click does what it is on`() throws {
        var phone = Samples.phone(bob, ann)
        let picture = phone.draw(Samples.usual, Samples.clock)
        #expect(picture.target(3, 10) == .row(1))
        #expect(picture.target(0, 15) == .tab(.dial))
        let line = picture.lines[1]
        let start = try #require(line.range(of: "[F6]")?.lowerBound)
        let column = line.distance(from: line.startIndex, to: start)
        let target = try #require(picture.target(1, column + 1))
        #expect(phone.click(target) == [.request(.end, ann.id)])
        #expect(phone.click(.row(1)) == [])
        #expect(phone.call?.id == ann.id)
    }

    @Test func `without a broker that is told, with the reason`() {
        var phone = Samples.phone(bob)
        phone.awayReason = "no broker is listening"
        #expect(lines(phone)[1] == " The broker is gone. no broker is listening")
    }

    @Test func `until there is a session that is told`() {
        var phone = Samples.phone()
        phone.isConnecting = true
        #expect(lines(phone)[1] == " Connecting to the broker")
    }

    @Test func `settings have their rules`() {
        var phone = Samples.phone()
        phone.settings = Setting.Name.allCases.map { Setting($0, $0.choices[0]) }
        _ = phone.press(.character("6"))
        let text = lines(phone)
        #expect(text[2].hasPrefix("> Busy while in a call"))
        #expect(text[2].contains("off       rule 2"))
        #expect(text.contains { $0.contains("Calls that come while another is live are refused") })
    }

    @Test func `what does not fit into a row is below the list`() {
        var phone = Samples.phone()
        var line = Line(id: "a", label: "Home")
        (line.state, line.reason) = (.failed, "403 Forbidden by the network")
        phone.lines = [LineRow(Samples.desk, line)]
        _ = phone.press(.character("8"))
        let text = lines(phone)
        #expect(text[2].contains("failed: 403 Forbidd…"))
        #expect(text.contains("  failed: 403 Forbidden by the network"))
    }

    @Test func `durations have hours only where they are needed`() {
        #expect(Clock.duration(-5) == "0:00")
        #expect(Clock.duration(65_999) == "1:05")
        #expect(Clock.duration(3_605_000) == "1:00:05")
    }
}
