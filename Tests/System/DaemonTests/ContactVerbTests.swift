import Testing

/// `callbroker contact`: whom the user knows.
struct ContactVerbTests {
    typealias World = ToolWorld

    private static let cards = """
        BEGIN:VCARD
        VERSION:3.0
        UID:ada
        FN:Ada Lovelace
        TEL;TYPE=CELL:+1 555 0123
        EMAIL:ada@example.org
        END:VCARD
        BEGIN:VCARD
        VERSION:4.0
        UID:bob
        FN:Bob
        TEL;VALUE=uri:tel:+1-555-0124
        END:VCARD

        """

    private func imported(_ text: String, into world: World) throws -> Tool {
        try Tool("contact", "import", socketPath: world.daemon.socketPath, input: text)
    }

    @Test func `a contact is put, shown with its calls, found, replaced and removed`() throws {
        let world = try World()
        let put = try JSON(
            try world.run("contact", "put", "Ada", "+1 555 0123", "--favorite", "--json").output)
        let id = try #require(put["contact"]?.string)
        #expect(try world.refusal() == nil)
        let caller = try world.call()["caller"]
        #expect(caller?["name"] == "Ada")
        #expect(caller?["source"] == "contacts")
        try #require(
            try world.run("contact", "put", "Bob", World.bobNumber).end == .exited(0))
        #expect(try JSON(try world.run("contact", "show", "da", "--json").output)["name"] == "Ada")
        #expect(
            try JSON(try world.run("contact", "show", "--favorites", "--json").output)["name"]
                == "Ada")
        let renamed = try world.run("contact", "put", "Countess", World.adaNumber, "--id", id)
        #expect(renamed.end == .exited(0))
        let table = try world.run("contact", isOnTerminal: true).output
        #expect(table.contains("Countess") && table.contains("Bob") && !table.contains("Ada"))
        #expect(
            try world.run("contact", "remove", id, isOnTerminal: true).output == "removed: yes\n")
        let again = try world.run("contact", "remove", id)
        #expect(again.end == .exited(1))
        #expect(again.errors.contains("no contact has the id or name"))
    }

    @Test func `a contact is removed by its name, or a part that only it has`() throws {
        let world = try World()
        for name in ["Ada Lovelace", "Ada Byron", "Bob"] {
            _ = try world.run("contact", "put", name, "+1555\(name.utf8.count)")
        }
        let run = try world.run("contact", "remove", "ada")
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("Ada Lovelace +155512"), "\(run.errors)")
        #expect(try world.run("contact", "remove", "lovelace").end == .exited(0))
        #expect(try world.run("contact", "remove", "bob").end == .exited(0))
        #expect(try JSON(try world.run("contact", "--json").output)["name"] == "Ada Byron")
    }

    @Test func `the same name again is the same contact, unless it is said otherwise`() throws {
        let world = try World()
        func put(_ arguments: String...) throws -> String? {
            let process = try world.start(["contact", "put", "--json"] + arguments)
            return try JSON(try Tool(finishing: process).output)["contact"]?.string
        }
        let first = try put("Ada", World.adaNumber, "--favorite")
        #expect(try put("ada", "+1-555-0123", "ada@example.org") == first)
        let contact = try JSON(try world.run("contact", "--json").output)
        #expect(contact["handles"]?[1] != nil && contact["handles"]?[2] == nil)
        #expect(contact["favorite"] == .boolean(true))
        #expect(try put("Ada", "+15550199", "--another") != first)
        let which = try world.run("contact", "put", "Ada", "+15550198")
        #expect(which.end == .exited(2))
        #expect(which.errors.contains("several contacts are named \"Ada\""))
    }

    @Test func `a contact is dialed by name`() throws {
        let world = try World()
        _ = try world.run("contact", "put", "Ada Lovelace", World.adaNumber, "ada@example.org")
        let run = try world.run("dial", "lovelace", "--id", World.bob, performing: ["start"])
        #expect(run.end == .exited(0), "\(run.errors)")
        #expect(try world.call(World.bob)["remote"]?["value"]?.string == World.adaNumber)
        let nobody = try world.run("dial", "cleo")
        #expect(nobody.end == .exited(2))
        #expect(nobody.errors.contains("no contact is named \"cleo\""))
    }

    @Test func `a contact with several numbers is a question`() throws {
        let world = try World()
        _ = try world.run("contact", "put", "Ada", World.adaNumber, World.bobNumber)
        let run = try world.run("dial", "Ada")
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("dial one:\n  tel:\(World.adaNumber)"))
    }

    @Test func `vCards come in and go out again as they were`() throws {
        let world = try World()
        let run = try imported(Self.cards, into: world)
        #expect(run.output == "imported: 2\n")
        #expect(run.end == .exited(0))
        #expect(try world.refusal(of: World.bob, from: World.bobNumber) == nil)
        #expect(try world.call(World.bob)["caller"]?["name"] == "Bob")
        let exported = try world.run("contact", "export").output
        let other = try World()
        try #require(try imported(exported, into: other).end == .exited(0))
        #expect(try other.run("contact").output == world.run("contact").output)
    }

    @Test func `of vCards of which one line is wrong none is taken over`() throws {
        let world = try World()
        let wrong = Self.cards.replacing("VERSION:4.0", with: "VERSION:9.0")
        let run = try imported(wrong, into: world)
        #expect(run.end == .exited(1))
        #expect(run.errors.hasPrefix("callbroker: standard input: line 9: "), "\(run.errors)")
        #expect(run.errors.hasSuffix("; nothing was imported\n"))
        #expect(try world.run("contact", isOnTerminal: true).output == "no contacts\n")
    }

    @Test func `who cannot be called is left out, and that is said`() throws {
        let world = try World()
        let card = "BEGIN:VCARD\nVERSION:3.0\nFN:Address Only\nADR:;;Main Street;;;;\nEND:VCARD\n"
        let run = try imported(card + Self.cards, into: world)
        #expect(run.output == "imported: 2\n")
        #expect(
            run.errors == "callbroker: skipped, without a number or an address: 1\n")
        #expect(run.end == .exited(0))
    }

    @Test func `a contact is called with its app, also by a broker that was started anew`() throws {
        let world = try RestartWorld()
        let put = try world.user().request(
            "contact.put",
            #"{"name":"Ada","handles":[{"type":"phone","value":"+1 555 0123"}],"#
                + #""provider":"org.example.b"}"#)
        try #require(put.result != nil)
        try world.killAndStartAgain()
        let members = #""url_schemes":["tel"]"#
        let one = try ScriptedProvider(world.daemon, members: members)
        let two = try ScriptedProvider(world.daemon, "org.example.b", members: members)
        let user = try world.user()
        let known = try user.request("call.dial", #"{"uri":"tel:+1-555-0123"}"#)
        #expect(known.result?["actions"]?[0]?["provider"]?.string == two.identity)
        let unknown = try user.request("call.dial", #"{"uri":"tel:+15550124"}"#)
        #expect(
            unknown.error?["data"]?["candidates"]
                == [.string(one.identity), .string(two.identity)])
    }

    @Test func `a file that is not there is wrong usage`() throws {
        let run = try World().run("contact", "import", "/nowhere.vcf")
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("cannot open /nowhere.vcf"))
    }
}
