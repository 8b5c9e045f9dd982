/// The dialing rules of a country, as far as needed to complete numbers.
struct NumberingPlan: Sendable {
    /// The country code.
    let code: String
    /// The prefixes of international calls.
    let abroad: [String]
    /// The prefix of national calls, which is not part of the number.
    let trunk: String?
    /// Indicates that a number without the trunk prefix is a local one and cannot be completed.
    let needsTrunk: Bool
    /// The number of digits of a national number, without the trunk prefix.
    let digits: ClosedRange<Int>

    private init(
        _ code: String, abroad: [String] = ["00"], trunk: String? = nil, needsTrunk: Bool = false,
        _ digits: ClosedRange<Int>
    ) {
        self.code = code
        self.abroad = abroad
        self.trunk = trunk
        self.needsTrunk = needsTrunk
        self.digits = digits
    }

    private static func zero(
        _ code: String, _ digits: ClosedRange<Int>, abroad: [String] = ["00"]
    ) -> NumberingPlan {
        NumberingPlan(code, abroad: abroad, trunk: "0", needsTrunk: true, digits)
    }

    private static func closed(_ code: String, _ digits: ClosedRange<Int>) -> NumberingPlan {
        NumberingPlan(code, digits)
    }

    private static let northAmerica = NumberingPlan("1", abroad: ["011"], trunk: "1", 10...10)

    /// The plans by the two letters of ISO 3166, according to the national plans that the ITU
    /// publishes (E.129).
    static let plans: [String: NumberingPlan] = [
        "AE": zero("971", 7...9), "AR": zero("54", 10...11), "AT": zero("43", 4...13),
        "AU": zero("61", 9...9, abroad: ["0011"]), "BD": zero("880", 8...10),
        "BE": zero("32", 8...9), "BG": zero("359", 7...9),
        "BR": zero("55", 10...11), "CA": northAmerica, "CH": zero("41", 9...9),
        "CL": closed("56", 9...9), "CN": zero("86", 9...11), "CO": closed("57", 10...10),
        "CY": closed("357", 8...8), "CZ": closed("420", 9...9), "DE": zero("49", 5...11),
        "DK": closed("45", 8...8), "EE": closed("372", 7...8), "EG": zero("20", 8...10),
        "ES": closed("34", 9...9), "FI": zero("358", 5...12), "FR": zero("33", 9...9),
        "GB": zero("44", 9...10), "GR": closed("30", 10...10),
        "HK": NumberingPlan("852", abroad: ["001"], 8...8), "HR": zero("385", 8...9),
        "HU": NumberingPlan("36", trunk: "06", needsTrunk: true, 8...9),
        "ID": zero("62", 8...12, abroad: ["001", "007", "008"]), "IE": zero("353", 7...9),
        "IL": zero("972", 8...9), "IN": zero("91", 10...10), "IS": closed("354", 7...9),
        // An Italian number keeps its zero when it is called from abroad.
        "IT": closed("39", 6...11), "JP": zero("81", 9...10, abroad: ["010"]),
        "KE": zero("254", 9...9, abroad: ["000"]),
        "KR": zero("82", 8...10, abroad: ["001", "002", "00700"]), "LT": zero("370", 8...8),
        "LU": closed("352", 4...11), "LV": closed("371", 8...8), "MA": zero("212", 9...9),
        "MT": closed("356", 8...8), "MX": closed("52", 10...10), "MY": zero("60", 8...10),
        "NG": zero("234", 7...10, abroad: ["009"]), "NL": zero("31", 9...9),
        "NO": closed("47", 8...8), "NZ": zero("64", 8...10), "PE": zero("51", 8...9),
        "PH": zero("63", 8...10), "PK": zero("92", 9...10), "PL": closed("48", 9...9),
        "PT": closed("351", 9...9), "RO": zero("40", 9...9), "RS": zero("381", 8...9),
        "RU": NumberingPlan("7", abroad: ["810"], trunk: "8", needsTrunk: true, 10...10),
        "SA": zero("966", 8...9), "SE": zero("46", 7...9), "SG": closed("65", 8...8),
        "SI": zero("386", 8...8), "SK": zero("421", 9...9), "TH": zero("66", 8...9),
        "TR": zero("90", 10...10), "TW": zero("886", 8...9), "UA": zero("380", 9...9),
        "US": northAmerica, "VN": zero("84", 9...10), "ZA": zero("27", 9...9),
    ]
}
