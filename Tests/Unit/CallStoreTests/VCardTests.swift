import CallModel
import CallStore
import TestSupport
import Testing

struct VCardTests {
    private func read(_ text: String) throws(VCardError) -> [Contact] {
        try VCard.read(Array(text.utf8))
    }

    private func card(_ lines: String...) -> String {
        (["BEGIN:VCARD", "VERSION:4.0", "FN:Ada"] + lines + ["END:VCARD", ""])
            .joined(separator: "\r\n")
    }

    // MARK: in pieces

    @Test func `wherever a text is cut into pieces, it is the same`() throws {
        let text = Array(
            "\u{FEFF}\(card("TEL:1", "NOTE:a\r\n b", "EMAIL:a@example.org"))\r\n\n".utf8)
        let whole = try VCard.read(text)
        #expect(whole.map(\.handles.count) == [2])
        for size in 1..<text.count {
            var reader = VCard.Reader()
            for start in stride(from: 0, to: text.count, by: size) {
                try reader.read(text[start..<min(start + size, text.count)])
            }
            #expect(try reader.finish() == whole, "pieces of \(size) bytes")
        }
    }

    @Test func `a line that does not end is given up, however it comes`() throws {
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
        let folded = Array(" \(String(repeating: "x", count: 1 << 16))\r\n".utf8)
        for (start, part, line) in [("", piece, 1), ("BEGIN:VCARD\nNOTE:\n", folded, 2)] {
            var reader = VCard.Reader()
            try reader.read(Array(start.utf8)[...])
            var count = 0
            let error = #expect(throws: VCardError.self) {
                while true {
                    try reader.read(part[...])
                    count += part.count
                }
            }
            #expect(error == VCardError(line: line, reason: .longLine(bytesMax: 8_388_608)))
            #expect(count <= 9 << 20)
        }
    }

    @Test func `the name of a kind of address does not end its line`() throws {
        var ada = Contact(id: "ada", name: "Ada", handles: [])
        ada.handles = [Handle(kind: .other("x\"\r\nEND:VCARD"), value: "1")]
        let text = VCard.text(of: [ada])
        #expect(text.contains("X-CALLBROKER-HANDLE;TYPE=\"xEND:VCARD\":1\r\n"))
        #expect(try read(text).map(\.id) == ["ada"])
    }

    @Test
    func
        `a quotation mark in the name of a kind of address is left out, so it can be written again`()
        throws
    {
        let card =
            "BEGIN:VCARD\nVERSION:3.0\nFN:Ada\n"
            + "X-CALLBROKER-HANDLE;TYPE=a\"drio:K1ABC\nEND:VCARD\n"
        let contacts = try read(card)
        #expect(contacts.first?.handles == [Handle(kind: .other("adrio"), value: "K1ABC")])
        for version in VCard.Version.allCases {
            #expect(try read(VCard.text(of: contacts, version: version)) == contacts)
        }
    }

    @Test(arguments: [
        "UID:urn:uuid:\\n0c", "UID:urn:uuid: urn:uuid:0c", "UID:0c\nTEL:tel:tel:+1",
        "UID:0c\nTEL:tel:%74el:+1", "UID:0c\nX-SIP:sip:\\n sip:ada@example.org",
    ]) func `what stands in front twice, or behind the end of a line, is left out`(
        _ lines: String
    ) throws {
        let contacts = try read("BEGIN:VCARD\nVERSION:4.0\nFN:Ada\n\(lines)\nEND:VCARD\n")
        #expect(contacts.map(\.id) == ["0c"])
        for version in VCard.Version.allCases {
            #expect(try read(VCard.text(of: contacts, version: version)) == contacts)
        }
    }

    @Test func `of several types the first names the kind of an address, whenever it is read`()
        throws
    {
        let line = "X-CALLBROKER-HANDLE;TYPE=pref,radio,voice,home,work:K1ABC"
        for _ in 1...20 {
            let contacts = try read("BEGIN:VCARD\nVERSION:4.0\nFN:Ada\n\(line)\nEND:VCARD\n")
            #expect(contacts.first?.handles.map(\.kind) == [.other("pref")])
        }
    }

    @Test func `an address whose kind is called pref is not preferred`() throws {
        let handles = [
            Handle(kind: .other("radio"), value: "K1ABC"), Handle(kind: .other("pref"), value: "1"),
        ]
        let contacts = [Contact(id: "c", name: "Ada", handles: handles)]
        for version in VCard.Version.allCases {
            #expect(try read(VCard.text(of: contacts, version: version)) == contacts)
        }
        let lines = "X-CALLBROKER-HANDLE;TYPE=radio:K1ABC\nX-CALLBROKER-HANDLE;TYPE=pref,pref:1"
        let preferred = try read("BEGIN:VCARD\nVERSION:3.0\nFN:Ada\n\(lines)\nEND:VCARD\n")
        #expect(preferred.first?.handles == handles.reversed())
    }

    @Test func `a card with a thousand addresses is given up there`() {
        let lines = String(repeating: "TEL:1\n", count: 1_001)
        #expect(throws: VCardError(line: 1_003, reason: .tooManyAddresses(most: 1_000))) {
            try read("BEGIN:VCARD\nVERSION:4.0\n\(lines)")
        }
    }

    // MARK: as others write them

    @Test func `what Google exports is read`() throws {
        let text = """
            BEGIN:VCARD
            VERSION:3.0
            FN:Dr. Zoë Müller\\, PhD
            N:Müller;Zoë;;Dr.;PhD
            EMAIL;TYPE=INTERNET;TYPE=HOME:zoe@example.org
            item1.EMAIL;TYPE=INTERNET:work@example.org
            item1.X-ABLabel:
            TEL;TYPE=CELL:+49 170 1234567
            TEL;TYPE=WORK:030 901820
            item2.ORG:Example GmbH
            NOTE:two\\nlines
            PHOTO:https://photos.example.org/zoe
            CATEGORIES:myContacts,starred
            END:VCARD

            """
        var zoe = Contact(
            id: "", name: "Dr. Zoë Müller, PhD",
            handles: [
                .email("zoe@example.org"), .email("work@example.org"), .phone("+49 170 1234567"),
                .phone("030 901820"),
            ])
        zoe.isFavorite = true
        let read = try read(text)
        zoe.id = try #require(read.first).id
        #expect(read == [zoe])
        #expect(try self.read(text).map(\.id) == [zoe.id])
    }

    @Test func `what Apple exports is read`() throws {
        let text = """
            BEGIN:VCARD\r
            VERSION:3.0\r
            PRODID:-//Apple Inc.//macOS 14.5//EN\r
            N:Doe;Jane;;;\r
            FN:Jane Doe\r
            EMAIL;type=INTERNET;type=HOME;type=pref:jane@example.com\r
            TEL;type=HOME;type=VOICE:(555) 010-0101\r
            TEL;type=CELL;type=VOICE;type=pref:+1 (555) 010-0100\r
            IMPP;X-SERVICE-TYPE=Skype;type=WORK:skype:jane.doe\r
            item1.ADR;type=HOME;type=pref:;;1 Example Street;Springfield;IL;62701;USA\r
            item1.X-ABADR:us\r
            PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQAASABIAAD/4QBMRXhpZgAATU0AKgAA\r
             AAgAAgESAAMAAAABAAEAAIdpAAQAAAABAAAAJgAAAAAAAqACAAQAAAABAAAAIKADAAQAAAAB\r
            UID:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1\r
            X-ABUID:4FBE8971-0BC3-424C-9C26-36C3E1EFF6B1:ABPerson\r
            END:VCARD\r

            """
        let jane = Contact(
            id: "4fbe8971-0bc3-424c-9c26-36c3e1eff6b1", name: "Jane Doe",
            handles: [
                .email("jane@example.com"), .phone("+1 (555) 010-0100"), .phone("(555) 010-0101"),
                .generic("skype:jane.doe"),
            ])
        #expect(try read(text) == [jane])
    }

    @Test func `what Nextcloud exports is read, groups passed over`() throws {
        let text = """
            BEGIN:VCARD
            VERSION:4.0
            PRODID:-//Nextcloud Contacts v5.5.3
            UID:urn:uuid:03a0e51f-d1aa-4385-8a53-e29025acd8af
            FN:Büro München mit einem sehr langen Namen der über die Grenze geht und um
             gebrochen wird
            TEL;TYPE="home,voice";VALUE=uri;PREF=2:tel:+49-89-233-00;ext=12
            TEL;TYPE=work;PREF=1:tel:089%20233-1
            IMPP:sip:buero@example.org
            EMAIL;TYPE=WORK:mailto:buero@example.org
            CATEGORIES:Favorites,Work
            REV;VALUE=DATE-AND-OR-TIME:20240101T120000Z
            END:VCARD
            BEGIN:VCARD
            VERSION:4.0
            KIND:group
            FN:Friends
            MEMBER:urn:uuid:03a0e51f-d1aa-4385-8a53-e29025acd8af
            END:VCARD
            """
        var office = Contact(
            id: "03a0e51f-d1aa-4385-8a53-e29025acd8af",
            name:
                "Büro München mit einem sehr langen Namen der über die Grenze geht und umgebrochen wird",
            handles: [
                .phone("089 233-1"), .phone("+49-89-233-00"), .generic("sip:buero@example.org"),
                .email("buero@example.org"),
            ])
        office.isFavorite = true
        #expect(try read(text) == [office])
    }

    @Test func `escapes that are none, or a NUL, stay as they stand`() throws {
        let text = "BEGIN:VCARD\nVERSION:4.0\nTEL:tel:1%00%+1%32\nEND:VCARD"
        let contacts = try read(text)
        #expect(contacts.map(\.handles) == [[.phone("1%00%+12")]])
        #expect(try read(VCard.text(of: contacts)) == contacts)
    }

    @Test func `a name is made of what there is`() throws {
        func name(_ line: String) throws -> String? {
            try read("BEGIN:VCARD\nVERSION:3.0\n\(line)\nEND:VCARD").first?.name
        }
        #expect(try name("FN:\nN:Lovelace;Ada;King;Lady;") == "Lady Ada King Lovelace")
        #expect(try name("NICKNAME:Enchantress,Countess") == "Enchantress")
        #expect(try name("ORG:Engines\\; Ltd.;Research") == "Engines; Ltd.")
        #expect(try name("TEL:+15550100") == "+15550100")
    }

    @Test func `a line may be continued within a character`() throws {
        let name = Array("FN:Zoë".utf8)
        let text =
            Array("BEGIN:VCARD\nVERSION:3.0\n".utf8) + name.dropLast() + Array("\n ".utf8)
            + [name[name.count - 1]] + Array("\nEND:VCARD".utf8)
        #expect(try VCard.read(text).map(\.name) == ["Zoë"])
    }

    @Test func `every end of a line is one, and a mark before the text is none of it`() throws {
        for end in ["\n", "\r\n", "\r"] {
            let lines = ["\u{FEFF}BEGIN:VCARD", "VERSION:3.0", "FN:A", "", "END:VCARD", ""]
            #expect(try read(lines.joined(separator: end)).map(\.name) == ["A"])
        }
        #expect(try read("") == [])
    }

    // MARK: what is refused

    private func error(_ text: String) -> String? {
        do throws(VCardError) {
            _ = try read(text)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `what is wrong is told by line and reason, without anybody's name`() {
        let begin = "BEGIN:VCARD\nVERSION:3.0\n"
        #expect(
            error("BEGIN:VCARD\nVERSION:2.1\nEND:VCARD")
                == "line 2: expected version 3.0 or 4.0: export the file as one of these")
        #expect(
            error(begin + "FN;ENCODING=QUOTED-PRINTABLE:Zo=C3=AB\nEND:VCARD")
                == "line 3: quoted-printable belongs to vCard 2.1: export the file as version "
                + "3.0 or 4.0"
        )
        #expect(
            error(begin + "N;QUOTED-PRINTABLE:=\nEND:VCARD")
                == "line 3: quoted-printable belongs to vCard 2.1: export the file as version "
                + "3.0 or 4.0"
        )
        #expect(
            error(begin + "FN;CHARSET=ISO-8859-1:x\nEND:VCARD")
                == "line 3: only UTF-8 is supported: export the file as version 3.0 or 4.0")
        #expect(
            error(begin + "FN:a\n\n FN:b\nEND:VCARD")
                == "line 5: a continuation without a line before it")
        #expect(
            error(begin + "FN Ada\nEND:VCARD")
                == "line 3: expected a colon between a name and its value")
        #expect(error(begin + ":x\nEND:VCARD") == "line 3: expected a property name")
        #expect(error(begin + "TEL;=x:1\nEND:VCARD") == "line 3: expected a parameter name")
        #expect(
            error(begin + "TEL;TYPE=\"home:1\nEND:VCARD")
                == "line 3: the closing quotation mark is missing")
        #expect(
            error(begin + "FN:a\nBEGIN:VCARD\nEND:VCARD")
                == "line 4: a card begins inside another one")
        #expect(error("FN:a\n") == "line 1: expected BEGIN:VCARD")
        #expect(error("hello") == "line 1: expected a colon between a name and its value")
        #expect(error(begin + "FN:a\n") == "line 3: the card that begins in line 1 has no END")
        #expect(error("BEGIN:VCARD\nFN:a\nEND:VCARD") == "line 3: the card has no VERSION")
        #expect(
            error(begin + "NOTE:x\nEND:VCARD")
                == "line 4: the card has no name (FN) and no address")
        #expect(
            error(begin + "FN:" + String(repeating: "x", count: 257) + "\nEND:VCARD")
                == "line 3: the card's name has more than 256 bytes")
        #expect(error(begin + "FN:a\u{0}b\nEND:VCARD") == "line 3: contains a NUL character")
        for app in ["", "phone", "org..phone", "org.example.phone!", "org.é"] {
            #expect(
                error(begin + "FN:a\nX-CALLBROKER-PROVIDER:\(app)\nEND:VCARD")
                    == "line 4: expected the name of an app, such as org.example.phone")
        }
        #expect(
            error(begin + "TEL:" + String(repeating: "1", count: 257) + "\nEND:VCARD")
                == "line 3: an address has more than 256 bytes")
        #expect(
            error(card("UID:a") + card("UID:a"))
                == "line 10: an earlier card has the same UID or the same contents")
    }

    @Test func `bytes that are no UTF-8 are refused`() {
        let text =
            Array("BEGIN:VCARD\nVERSION:3.0\nFN:Zo".utf8) + [0xEB] + Array("\nEND:VCARD".utf8)
        #expect(throws: VCardError(line: 3, reason: .notUTF8)) {
            try VCard.read(text)
        }
    }

    // MARK: as we write them

    @Test func `a contact is written as the versions have it`() {
        var ada = Contact.ada
        ada.handles += [.generic("sip:ada@example.org"), .phone("030 90"), .generic("door")]
        ada.isFavorite = true
        #expect(
            VCard.text(of: [ada], version: .v4) == """
                BEGIN:VCARD\r
                VERSION:4.0\r
                UID:ada\r
                FN:Ada Lovelace\r
                TEL;VALUE=uri:tel:+4930901820\r
                EMAIL:Ada@example.org\r
                IMPP:sip:ada@example.org\r
                TEL;VALUE=text:030 90\r
                X-CALLBROKER-HANDLE;TYPE="generic":door\r
                CATEGORIES:Favorites\r
                X-FAVORITE:true\r
                END:VCARD\r

                """)
        #expect(
            VCard.text(of: [.bob], version: .v3) == """
                BEGIN:VCARD\r
                VERSION:3.0\r
                UID:bob\r
                FN:bob\r
                N:bob;;;;\r
                IMPP:sip:bob@example.org\r
                END:VCARD\r

                """)
    }

    @Test func `what means something in a vCard is escaped`() {
        let contact = Contact(id: "a,b", name: "A;B,C\\D", handles: [.email("a;b@example.org")])
        let lines = VCard.text(of: [contact], version: .v3).split(separator: "\r\n")
        #expect(
            lines[2...5] == [
                "UID:a\\,b", "FN:A\\;B\\,C\\\\D", "N:A\\;B\\,C\\\\D;;;;",
                "EMAIL:a\\;b@example.org",
            ])
    }

    @Test func `no line has more than 75 bytes, and none ends within a character`() {
        let name = String(repeating: "ë\u{301}👩‍👩‍👧", count: 12)
        let text = VCard.text(of: [Contact(id: "x", name: name, handles: [])], version: .v4)
        for line in text.split(separator: "\r\n") {
            #expect(line.utf8.count <= 75)
        }
    }

    @Test(arguments: VCard.Version.allCases)
    func `what is written is read again as it was`(_ version: VCard.Version) throws {
        var random = SeededRandom(for: "vcards")
        let contacts = (0..<300).map { Contact.random($0, &random) }
        let text = VCard.text(of: contacts, version: version)
        let read = try read(text)
        for (one, other) in zip(contacts, read) {
            try #require(one == other, "seed \(random.seed)")
        }
        #expect(read.count == contacts.count)
    }

    @Test func `no text stops the reader`() {
        var random = SeededRandom(for: "broken vcards")
        let whole = Array(
            VCard.text(of: (0..<5).map { Contact.random($0, &random) }, version: .v4).utf8)
        for _ in 0..<2_000 {
            var text = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: text.remove(at: place)
                case 1: text.insert(random.pick(Array(" \t\r\n;:,\"\\=.%".utf8)), at: place)
                case 2: text[place] = UInt8.random(in: 0...255, using: &random)
                default: text.removeSubrange(place...)
                }
                if text.isEmpty { text = whole }
            }
            _ = try? VCard.read(text)
        }
    }
}

extension Contact {
    fileprivate static func random(_ number: Int, _ random: inout SeededRandom) -> Contact {
        let words = [
            "Ada", "Zoë", "O\u{308}l", ";", ",", "\\", "\\n", ":", "\"x\"", "李", "👩‍👩‍👧", "=C3", "a.b",
        ]
        func text(_ random: inout SeededRandom) -> String {
            (0..<Int.random(in: 1...5, using: &random)).map { _ in random.pick(words) }
                .joined(separator: random.chance(50) ? " " : "")
        }
        var contact = Contact(id: "\(number)-\(text(&random))", name: text(&random), handles: [])
        if random.chance(30) {
            contact.id = UUIDBits(high: random.next(), low: random.next()).description
        }
        for place in 0..<Int.random(in: 0...5, using: &random) {
            let handle: Handle =
                switch Int.random(in: 0..<7, using: &random) {
                case 0: .phone("+49-30-\(place)(0).1")
                case 1: .phone("030 \(place) \(text(&random))")
                case 2: .email("\(place)\(text(&random))@example.org")
                case 3: .generic("sip:\(place)\(text(&random))@example.org;x=1,2")
                case 4: .generic("\(place) door")
                case 5:
                    Handle(kind: .other("matrix"), value: "@\(place)\(text(&random)):example.org")
                default: .phone("*31#\(place)")
                }
            contact.handles.append(handle)
        }
        contact.isFavorite = random.chance(30)
        contact.breaksThrough = random.chance(30)
        if random.chance(30) { contact.provider = ProviderID("org.example.\(number)") }
        return contact
    }
}
