import CallModel
import CallStore
import Testing

struct ContactTests {
    let store = CallStore(.memory)

    @Test func `a contact is kept as it was put, and found by its id`() throws {
        var ada = Contact.ada
        ada.isFavorite = true
        ada.breaksThrough = true
        ada.provider = ProviderID("org.a")
        try store.put(ada)
        #expect(try store.contact("ada") == ada)
        #expect(try store.contact("bob") == nil)
    }

    @Test func `a contact put again takes the place of the old one`() throws {
        try store.put(.ada)
        let other = Contact(id: "ada", name: "Ada King", handles: [.phone("+15550100")])
        try store.put(other)
        #expect(try store.contacts().items == [other])
        #expect(try store.contact(with: .phone("+4930901820")) == nil)
    }

    @Test func `a contact that is removed is gone with its handles`() throws {
        try store.put(.ada)
        #expect(try store.removeContact("ada"))
        #expect(try !store.removeContact("ada"))
        #expect(try store.contact(with: .phone("+4930901820")) == nil)
    }

    @Test func `of several contacts put at once a bad one keeps all out`() throws {
        let nameless = Contact(id: "x", name: "", handles: [])
        #expect(code { () throws(StoreError) in try store.put([.ada, nameless]) } == .invalid)
        #expect(try store.contacts().items == [])
    }

    @Test func `contacts are listed by name, page by page`() throws {
        let names = ["delta", "Alpha", "charlie", "Bravo", "echo"]
        for name in names { try store.put(Contact(id: name, name: name, handles: [])) }
        var listed: [String] = []
        var after: String?
        repeat {
            let page = try store.contacts(after: after, limit: 2)
            #expect(page.items.count <= 2)
            listed += page.items.map(\.name)
            after = page.next
        } while after != nil
        #expect(listed == ["Alpha", "Bravo", "charlie", "delta", "echo"])
    }

    @Test(arguments: [Int.min, 0, 1]) func `a page has one contact at least`(_ limit: Int) throws {
        try store.put([.ada, .bob])
        #expect(try store.contacts(limit: limit).items == [.ada])
    }

    @Test func `a list goes on only after a place that a page gave`() throws {
        let error = code { () throws(StoreError) in _ = try store.contacts(after: "somewhere") }
        #expect(error == .invalid)
    }

    @Test func `contacts are filtered by a part of the name or of an address`() throws {
        try store.put([.ada, .bob])
        #expect(try store.contacts(ContactFilter(text: "LOVE")).items == [.ada])
        #expect(try store.contacts(ContactFilter(text: "bob@EXA")).items == [.bob])
        #expect(try store.contacts(ContactFilter(text: "901820")).items == [.ada])
        #expect(try store.contacts(ContactFilter(text: "%")).items == [])
    }

    @Test func `favourites are a list of their own`() throws {
        var bob = Contact.bob
        bob.isFavorite = true
        try store.put([.ada, bob])
        #expect(try store.contacts(ContactFilter(favorites: true)).items == [bob])
    }

    @Test(arguments: [
        Handle.phone("030 / 90 18 20"), .phone("0049 30 901820"), .phone("+49 (0)30 901820"),
        .email("ada@EXAMPLE.org"), .generic("sip:+4930901820@trunk.example.net;user=phone"),
    ]) func `a contact is found however its address is written`(_ handle: Handle) throws {
        try store.setRegion("DE")
        try store.put([.ada, .bob])
        #expect(try store.contact(with: handle) == .ada)
    }

    @Test(arguments: [
        "sips:BOB@example.org;transport=tls", "sip:bob@EXAMPLE.org?subject=x", "bob@example.org",
        "sip: bob@example.org",
    ])
    func `a SIP address is found without its scheme, parameters and capitals`(_ value: String)
        throws
    {
        try store.put([.ada, .bob])
        #expect(try store.contact(with: .generic(value)) == .bob)
    }

    @Test func `another region makes other addresses the same`() throws {
        let local = Contact(id: "l", name: "local", handles: [.phone("030 901820")])
        try store.put(local)
        #expect(try store.contact(with: .phone("+4930901820")) == nil)
        try store.setRegion("DE")
        #expect(try store.contact(with: .phone("+4930901820")) == local)
        try store.setRegion("FR")
        #expect(try store.contact(with: .phone("+4930901820")) == nil)
        #expect(try store.region == "FR")
    }

    @Test func `a region that is none is refused`() throws {
        #expect(code { () throws(StoreError) in try store.setRegion("Germany") } == .invalid)
        #expect(try store.region == nil)
    }

    // MARK: - The apps to call them with

    private func put(_ id: String, _ app: String?, _ handles: Handle...) throws {
        try store.put(contact(id, app, handles))
    }

    private func contact(_ id: String, _ app: String?, _ handles: [Handle]) -> Contact {
        var contact = Contact(id: id, name: id, handles: handles)
        contact.provider = app.map { ProviderID($0) }
        return contact
    }

    @Test func `an app is found by every address of its contact, however it is written`() throws {
        try put("ann", "org.a", .phone("+49 30 901820"), Handle(kind: .email, value: "Ann@X.org"))
        let apps = try store.preferredApps()
        #expect(apps[.phone("+4930901820")] == ProviderID("org.a"))
        #expect(apps[Handle(kind: .email, value: "ann@x.org")] == ProviderID("org.a"))
        #expect(
            apps[Handle(kind: .generic, value: "sip:+4930901820@x.org")] == ProviderID("org.a"))
        #expect(apps[.phone("+15550100")] == nil)
        #expect(PreferredApps()[.phone("+4930901820")] == nil)
    }

    @Test func `of several contacts with one number the first by name that has an app counts`()
        throws
    {
        try put("Cleo", "org.c", .phone("+4930901820"))
        try put("bob", "org.b", .phone("+4930901820"))
        try put("Ann", nil, .phone("+4930901820"))
        #expect(try store.preferredApps()[.phone("+4930901820")] == ProviderID("org.b"))
    }

    @Test func `what is put and removed is as if it were read anew`() throws {
        var apps = PreferredApps()
        let (number, other) = (Handle.phone("+4930901820"), Handle.phone("+15550100"))
        let changes = [
            contact("bob", "org.b", [number, number]), contact("ann", "org.a", [number]),
            contact("bob", "org.c", [other]), contact("ann", nil, [number, other]),
            contact("ann", "org.a", [number, other]),
        ]
        for change in changes {
            try store.put(change)
            apps.put(change)
            let read = try store.preferredApps()
            #expect([apps[number], apps[other]] == [read[number], read[other]])
        }
        #expect([apps[number], apps[other]] == [ProviderID("org.a"), ProviderID("org.a")])
        apps.remove("ann")
        #expect([apps[number], apps[other]] == [nil, ProviderID("org.c")])
    }
}
