import CallStore
import CallerLists
import TestSupport
import Testing

struct CallerListReaderTests {
    private func read(
        _ text: String, _ form: CallerListReader.Form = .csv, region: String? = nil,
        piece: Int = 1_000
    ) throws(CallerListError) -> [DirectoryEntry] {
        var reader = CallerListReader(form, region: region)
        var entries: [DirectoryEntry] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try reader.read(rest.prefix(piece)) { entries.append($0) }
            rest = rest.dropFirst(piece)
        }
        try reader.finish { entries.append($0) }
        return entries
    }

    private func error(
        _ text: String, _ form: CallerListReader.Form = .csv, region: String? = nil
    ) -> String? {
        do throws(CallerListError) {
            _ = try read(text, form, region: region)
            return nil
        } catch {
            return error.description
        }
    }

    private let shop = DirectoryEntry(15_550_100, label: "Shop, Ltd.")
    private let bot = DirectoryEntry(15_550_101, isBlocked: true)
    private let both = DirectoryEntry(15_550_102, label: "The \"best\" bot", isBlocked: true)

    @Test(arguments: [1, 2, 3, 7, 1_000]) func `a list is read in pieces of any length`(
        _ piece: Int
    ) throws {
        let csv = """
            # from the exchange
            15550100,"Shop, Ltd."

            +1 555 0101 , ,true\r
            1-555-0102,"The ""best"" bot",yes
            """
        #expect(try read(csv, piece: piece) == [shop, bot, both])
    }

    @Test func `a first line may name the columns, in any order, with others among them`() throws {
        let text = "\u{FEFF}Label;x;Number;Blocked\nShop, Ltd.;1;+15550100;no\n;;+15550101;1\n"
        #expect(try read(text) == [shop, bot])
        #expect(try read("number\tlabel\n15550100\tShop, Ltd.") == [shop])
        #expect(try read("") == [])
        #expect(try read("number,label\n") == [])
    }

    @Test func `objects a line each are read`() throws {
        let text = """
            {"number":"+1 555 0100","label":"Shop, Ltd."}
            {"number":15550101,"blocked":true,"label":null}

            {"label":"The \\"best\\" bot","number":"15550102","blocked":true}
            """
        #expect(try read(text, .ndjson) == [shop, bot, both])
    }

    @Test func `numbers without a country's code are completed for the region`() throws {
        #expect(
            try read("030 901820,A\n0049 30 901821,B", region: "DE").map(\.number)
                == [4_930_901_820, 4_930_901_821])
        #expect(
            error("030 901820,A")
                == "line 1: the number is incomplete: add a country code, or give a region for "
                + "the list"
        )
        #expect(error("110,A\n030,A", region: "DE") == "line 1: the number is incomplete")
    }

    @Test func `what is wrong is told by line and reason`() {
        let good = "15550100,A\n"
        #expect(
            error(good + "15550099,B")
                == "line 2: the number is lower than the previous one: sort the list by number")
        #expect(error(good + good) == "line 2: the number repeats that of the previous line")
        #expect(
            error(good + "15550101")
                == "line 2: expected a label or a blocked number")
        #expect(error(good + "15550101,B,maybe") == "line 2: column 3: expected true or false")
        #expect(
            error(good + "15550101,\"B")
                == "line 2: the closing quotation mark is missing")
        #expect(
            error(good + "15550101,\"B\"C")
                == "line 2: expected a separator after the closing quotation mark")
        #expect(
            error(good + String(repeating: "x", count: 5_000))
                == "line 2: longer than 4096 bytes")
        #expect(error("number,label,label\n") == "line 1: two columns have the same name")
        #expect(
            error("{\"number\":1.5}", .ndjson) == "line 1: number: expected a string or an integer")
        #expect(
            error("{\"number\":\"15550100\",\"name\":\"A\"}", .ndjson)
                == "line 1: unknown member: expected number, label and blocked only")
        #expect(error("[]", .ndjson) == "line 1: expected an object")
        #expect(error("{\"number\":", .ndjson)?.hasPrefix("line 1: column 11: expected") == true)
    }

    @Test func `bytes that are no UTF-8 are refused`() {
        var reader = CallerListReader(.csv, region: nil)
        #expect(throws: CallerListError(line: 1, reason: .notUTF8)) {
            try reader.read([0x31, 0xFF, 0x0A][...]) { _ in }
        }
    }

    @Test func `no text stops the reader`() {
        var random = SeededRandom(for: "broken lists")
        let samples = [
            "number,label,blocked\n15550100,\"A, \"\"B\"\"\",true\n15550101,C,0\n",
            "{\"number\":\"+15550100\",\"label\":\"A\"}\n{\"number\":15550101,\"blocked\":true}\n",
        ]
        for round in 0..<2_000 {
            var text = Array(samples[round % 2].utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                text[place] = random.pick(Array("\n\r,;\t\"\\{}[]: 0+x".utf8) + [0xC3, 0x00])
            }
            var reader = CallerListReader(round % 2 == 0 ? .csv : .ndjson, region: "DE")
            try? reader.read(text[...]) { _ in }
            try? reader.finish { _ in }
        }
    }
}
