import CallStore
import Testing

struct PhoneNumberTests {
    @Test(arguments: [
        ("+49 30 901820", "DE", "+4930901820"), ("030/90 18-20", "DE", "+4930901820"),
        ("0049 30 901820", "DE", "+4930901820"), ("+49 (0)30 901820", "DE", "+4930901820"),
        ("tel:+49-30-901820;ext=5", "FR", "+4930901820"), ("01 42 68 53 00", "FR", "+33142685300"),
        ("(020) 7946 0018", "GB", "+442079460018"), ("(212) 555-0100", "US", "+12125550100"),
        ("1-212-555-0100", "US", "+12125550100"), ("011 44 20 7946 0018", "US", "+442079460018"),
        ("2125550100 x12", "CA", "+12125550100"), ("06 698 12345", "IT", "+390669812345"),
        ("8 (495) 123-45-67", "RU", "+74951234567"), ("810 49 30 901820", "RU", "+4930901820"),
        ("06 1 234 5678", "HU", "+3612345678"), ("090-1234-5678", "JP", "+819012345678"),
        ("612 345 678", "ES", "+34612345678"), ("22 12 34 56", "NO", "+4722123456"),
        ("０３０ ９０１８２０", "DE", "+4930901820"), ("٠٣٠٩٠١٨٢٠", "DE", "+4930901820"),
        ("\u{202A}+49\u{A0}30\u{2011}901820\u{202C}", "US", "+4930901820"),
    ]) func `ways to write a number are one number`(_ text: String, _ region: String, _ key: String)
    {
        #expect(PhoneNumber.key(text, region: region) == key)
    }

    @Test(arguments: [
        // Short codes, local numbers, codes of the exchange, letters.
        ("110", "DE", "110"), ("116 117", "DE", "116117"), ("901820", "DE", "901820"),
        ("*31#", "DE", "*31#"), ("911", "US", "911"), ("555-0100", "US", "5550100"),
        ("1-800-FLOWERS", "US", "1-800-flowers"), ("anonymous", "DE", "anonymous"),
        ("+", "DE", "+"), ("+0123456", "DE", "+0123456"),
        ("+1234567890123456", "DE", "+1234567890123456"),
    ]) func `what cannot be completed stays what was dialled`(
        _ text: String, _ region: String, _ key: String
    ) {
        #expect(PhoneNumber.key(text, region: region) == key)
        #expect(PhoneNumber.directoryNumber(text, region: region) == nil)
    }

    @Test func `without a region only a country's code completes a number`() {
        #expect(PhoneNumber.key("+49 30 901820", region: nil) == "+4930901820")
        #expect(PhoneNumber.key("030 901820", region: nil) == "030901820")
        #expect(PhoneNumber.key("030 901820", region: "XX") == "030901820")
    }

    @Test func `what most countries dial for a plus is one where none is known`() {
        #expect(PhoneNumber.key("0049 30 901820", region: nil) == "+4930901820")
        #expect(PhoneNumber.prefixKey("0049 30", region: nil) == "+4930")
        #expect(PhoneNumber.prefixKey("00", region: nil) == "00")
        #expect(PhoneNumber.key("0049 30 901820", region: "US") == "004930901820")
    }

    @Test func `a directory's number is the country's code and the digits`() {
        #expect(PhoneNumber.directoryNumber("030 901820", region: "DE") == 4_930_901_820)
        #expect(PhoneNumber.directoryNumber("030 901820", region: nil) == nil)
    }

    @Test(arguments: PhoneNumber.regions)
    func `a completed number is complete in every region`(_ region: String) {
        for number in ["+4930901820", "+12125550100", "+390669812345", "+74951234567"] {
            #expect(PhoneNumber.key(number, region: region) == number)
        }
    }
}
