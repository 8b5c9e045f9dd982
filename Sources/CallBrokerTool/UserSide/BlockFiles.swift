internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// `callbroker block export`: the blocks as CSV.
struct BlockExport: ParsableCommand {
    static let columns = ["address", "type", "prefix", "reason", "added_at"]

    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export all blocks as CSV to standard output.")

    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.observer, waiting: 600)
        CSVLine.write(Self.columns)
        try session.forEachPage(.listBlocks) { page in
            for block in page.result["blocks"]?.elements.map({ BlockSummary($0) }) ?? [] {
                CSVLine.write([
                    block.address, block.type, String(block.isPrefix), block.reason ?? "",
                    ClockTime.rfc3339(unixMS: block.addedAtMS),
                ])
            }
        }
    }
}

/// `callbroker block import`: blocks from CSV.
struct BlockImport: ParsableCommand {
    private static let bytesMax = 64 << 20

    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Add blocks from CSV.",
        discussion: """
            The first line names the columns: address, and at will type (phone, email or generic), \
            prefix (true or false) and reason; others are ignored. If a line is invalid, nothing is \
            imported. An address that is blocked already gets the new reason.
            """)

    @Argument(help: "The file. Default, and -: standard input.", completion: .file())
    var file: String?
    @OptionGroup var client: ClientOptions

    func run() throws {
        let text = String(decoding: try Terminal.read(file, bytesMax: Self.bytesMax), as: UTF8.self)
        let blocks = try Self.blocks(in: text)
        let session = try client.open(.controller, waiting: 600)
        for block in blocks {
            _ = try session.request(.addBlock) { writer in
                writer.member(
                    block.isPrefix ? "prefix" : "handle", address: block.address, block.kind)
                writer.member("reason", ifSet: block.reason)
            }
        }
        var writer = JSONWriter()
        writer.object { $0.member("imported", blocks.count) }
        try client.output.show(count: "imported", writer.bytes, Messages.userImported)
    }

    private struct Row {
        let address: String
        var kind: AddressKind?
        var isPrefix = false
        var reason: String?
    }

    private static func blocks(in text: String) throws(ToolFailure) -> [Row] {
        var rows: [Row] = []
        for (line, values) in try CSVLine.rows(of: text, requiring: ["address"]) {
            rows.append(try row(values, line))
        }
        return rows
    }

    private static func row(
        _ values: [String: String], _ line: Int
    ) throws(ToolFailure) -> Row {
        var row = Row(address: values["address"] ?? "", reason: values["reason"])
        if let type = values["type"] {
            row.kind = AddressKind(rawValue: type)
            guard row.kind != nil else {
                throw CSVLine.mistake(line, Messages.importTypeWords)
            }
        }
        guard let isPrefix = Bool(values["prefix"] ?? "false") else {
            throw CSVLine.mistake(line, Messages.importPrefixWords)
        }
        row.isPrefix = isPrefix
        return row
    }
}
