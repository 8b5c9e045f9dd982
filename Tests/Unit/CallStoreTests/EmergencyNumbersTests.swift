import CallStore
import Testing

struct EmergencyNumbersTests {
    @Test(arguments: ["112", "911", "1-1-2", " 9 1 1 ", "１１２", "(112)"])
    func `two numbers are emergencies everywhere, however they are written`(number: String) {
        #expect(EmergencyNumbers.contains(number, region: ""))
        #expect(EmergencyNumbers.contains(number, region: "FR"))
        #expect(EmergencyNumbers.contains(number, region: "XX"))
    }

    @Test(arguments: [
        ("110", "DE"), ("110", "JP"), ("119", "JP"), ("999", "GB"), ("000", "AU"), ("15", "FR"),
        ("144", "CH"), ("10111", "ZA"), ("03", "RU"), ("101", "AR"),
    ])
    func `others are in their regions`(number: String, region: String) {
        #expect(EmergencyNumbers.contains(number, region: region))
        #expect(!EmergencyNumbers.contains(number, region: ""))
        #expect(!EmergencyNumbers.contains(number, region: "US"))
    }

    @Test(arguments: [
        "+49112", "+112", "0112", "1120", "11", "112#", "*112", "", "ada",
        "112,1", "112,", "112;1", "112x5", "112p1", "112w1", "112 ext. 5", "112,911",
    ])
    func `more or less than such a number is another one`(number: String) {
        #expect(!EmergencyNumbers.contains(number, region: "DE"))
    }

    @Test func `the host may know more`() {
        #expect(EmergencyNumbers.contains("7-777", region: "", others: ["7777"]))
        #expect(!EmergencyNumbers.contains("777", region: "", others: ["7777"]))
    }
}
