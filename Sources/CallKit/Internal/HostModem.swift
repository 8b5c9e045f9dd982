internal import BrokerJSON
internal import CallClient
package import CallModel
internal import CallProtocol

/// A line of a modem of the host, or a modem without lines of its own.
package struct HostModem: Sendable {
    private let provider: ProviderID
    private let line: String?
    /// The name for people.
    package let label: String

    /// An id that is the same in every process: the hashes of both names.
    package var id: UUID {
        let text = FNV.hex(of: provider.name.utf8) + FNV.hex(of: "line \(line ?? "")".utf8)
        let parts = [8, 4, 4, 4, 12].reduce(into: (text[...], [Substring]())) { rest, count in
            rest.1.append(rest.0.prefix(count))
            rest.0 = rest.0.dropFirst(count)
        }.1
        return UUID(uuidString: parts.joined(separator: "-")) ?? UUID()
    }

    /// Returns the lines of the modems that the broker can reach, as it lists them.
    package static func all() -> [HostModem] {
        CallMonitor.shared.modems()
    }

    /// Calls a number with a line; nil stands for the first one.
    ///
    /// - Throws: `CXErrorCodeRequestTransactionError`.
    package static func start(_ number: Handle, with id: UUID?) async throws {
        guard let modem = all().first(where: { id == nil || $0.id == id }) else {
            throw CXErrorCodeRequestTransactionError.refused(
                .unknownCallProvider,
                id == nil
                    ? "this host has no modem: its adapter does not run, or finds none"
                    : "the host has no such line any more: read cellularServices again")
        }
        do {
            let user = try await CallController(ProviderRegistry.shared.options)
            try await user.start(number, provider: modem.provider, line: modem.line)
            user.close()
        } catch {
            throw error.requestTransaction
        }
    }

    /// Reads an entry of the list of providers; empty if it is no modem, or cannot be reached.
    static func lines(of entry: JSONValue) -> [HostModem] {
        guard entry["kind"]?.string == ProviderKind.modem.rawValue,
            entry["connected"]?.boolean == true,
            let name = ProviderID(entry["provider"])
        else { return [] }
        let label = entry["display_name"]?.string ?? name.name
        let lines = entry["lines"]?.elements.map { $0 } ?? []
        return lines.isEmpty
            ? [HostModem(provider: name, line: nil, label: label)]
            : lines.map { line in
                HostModem(
                    provider: name, line: line["line"]?.string,
                    label: line["label"]?.string ?? label)
            }
    }
}
