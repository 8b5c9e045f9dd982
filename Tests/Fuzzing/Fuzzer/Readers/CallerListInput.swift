internal import BrokerJSON
internal import CallStore
internal import CallerLists

/// A list of callers: the same whether it comes whole or in pieces, in the order of its numbers; and
/// what was read is written and read as the same again.
enum CallerListInput {
    static func check(_ bytes: [UInt8], _ form: CallerListReader.Form) throws(Finding) {
        for region in [nil, "DE"] {
            let whole = read(bytes, form, region, pieceBytes: max(1, bytes.count))
            let pieces = read(bytes, form, region, pieceBytes: 1 + bytes.count % 7)
            try require(whole == pieces, "\(pieces) in pieces, and \(whole)")
            let numbers = whole.entries.map(\.number)
            try require(zip(numbers, numbers.dropFirst()).allSatisfy(<), "not in order: \(whole)")
            // What a label needs for its quotation marks must find room in a line.
            let mayBeLong = whole.entries.contains { ($0.label?.utf8.count ?? 0) > 600 }
            guard !mayBeLong else { continue }
            let text = form == .csv ? csv(whole.entries) : ndjson(whole.entries)
            let again = read(text, form, region, pieceBytes: max(1, text.count))
            try require(
                again == Reading(entries: whole.entries), "\(whole.entries) became \(again)")
        }
    }

    private struct Reading: Equatable {
        var entries: [DirectoryEntry] = []
        var fault: CallerListError?
    }

    private static func read(
        _ bytes: [UInt8], _ form: CallerListReader.Form, _ region: String?, pieceBytes: Int
    ) -> Reading {
        var reader = CallerListReader(form, region: region)
        var reading = Reading()
        do throws(CallerListError) {
            for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
                let piece = bytes[start..<min(start + pieceBytes, bytes.count)]
                try reader.read(piece) { reading.entries.append($0) }
            }
            try reader.finish { reading.entries.append($0) }
        } catch {
            reading.fault = error
        }
        return reading
    }

    private static func csv(_ entries: [DirectoryEntry]) -> [UInt8] {
        let rows = entries.map { entry in
            let label = (entry.label ?? "").utf8.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] }
            return "+\(entry.number),\"\(String(decoding: label, as: UTF8.self))\","
                + "\(entry.isBlocked)\n"
        }
        return Array(("number,label,blocked\n" + rows.joined()).utf8)
    }

    private static func ndjson(_ entries: [DirectoryEntry]) -> [UInt8] {
        var writer = JSONWriter()
        for entry in entries {
            writer.object { writer in
                writer.member("number", "+\(entry.number)")
                writer.member("label", ifSet: entry.label)
                writer.member("blocked", entry.isBlocked)
            }
            writer.endLine()
        }
        return writer.bytes
    }
}
