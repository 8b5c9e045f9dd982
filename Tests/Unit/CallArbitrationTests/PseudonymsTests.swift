import CallModel
import Testing

@testable import CallArbitration

struct PseudonymsTests {
    private let people = Pseudonyms(key: UUIDBits(high: 1, low: 2))

    /// From the paper's appendix A: key and message count up from 0.
    @Test func `the hash is SipHash-2-4`() {
        var hash = SipHash(key: UUIDBits(high: 0x0F0E_0D0C_0B0A_0908, low: 0x0706_0504_0302_0100))
        #expect(hash.of(Array(0..<15)) == 0xA129_CA61_49BE_45E5)
    }

    @Test func `a person has one pseudonym, and under another key another`() {
        let number = Handle(kind: .phone, value: "+15550101")
        #expect(people.handle(number) == people.handle(number))
        #expect(people.handle(number) != people.handle(Handle(kind: .phone, value: "+15550102")))
        #expect(
            people.handle(number) != Pseudonyms(key: UUIDBits(high: 1, low: 3)).handle(number))
        #expect(people.name("Ada") == people.name("Ada"))
        #expect(people.name("Ada") != people.name("Grace"))
    }

    @Test func `a pseudonym is of the kind of what it stands for`() {
        let number = people.handle(Handle(kind: .phone, value: "112")).value
        #expect(number.hasPrefix("+999") && number.utf8.count == 14)
        #expect(Int(number.dropFirst()) != nil)
        let mail = people.handle(Handle(kind: .email, value: "a@b.c")).value
        #expect(mail.hasSuffix("@example.invalid"))
        #expect(people.digits("12#4") == "0000")
    }

    @Test func `codes that have a reason and words in snake case stay as they are`() {
        for code in ["SIP 486", "Q.850 17"] { #expect(people.code(code) == code) }
        #expect(people.code("SIP Ada") == people.name("SIP Ada"))
        #expect(people.reason("no_lamp_2") == "no_lamp_2")
        #expect(people.reason("Ada left") == people.name("Ada left"))
    }
}
