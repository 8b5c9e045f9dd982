import Foundation
import Testing

/// The raw values that apps compare and store, against `Interface/Values.txt`, which names their
/// sources.
struct RawValueTests {
    private struct Table {
        /// By the names of the constants in Swift.
        var values: [String: String] = [:]
        var withoutSource: [String] = []

        init() throws {
            var source = ""
            let text = try SourceFolder.text("Tests/Apps/CallKitTests/Interface/Values.txt")
            for line in text.split(separator: "\n") {
                if let name = line.wholeMatch(of: /from (\S.*)/)?.1 {
                    source = String(name)
                } else if let match = line.wholeMatch(of: /(\S+) = (\S+)(    \S+)?/) {
                    values[String(match.1)] = String(match.2)
                    if source.isEmpty { withoutSource.append(String(match.1)) }
                }
            }
        }

        /// The constants of a module's interface that have raw values.
        static func constants(of module: String) throws -> Set<String> {
            let interface = try InterfaceTable(of: module)
            let plain = RawValueTests.withoutRawValues
            let names = interface.rows.compactMap { row -> String? in
                if let match = row.wholeMatch(of: /(\S+) \| case (\w+)/) {
                    return plain.contains(String(match.1)) ? nil : "\(match.1).\(match.2)"
                }
                guard
                    let match = row.wholeMatch(of: /(\S+) \| static var (\w+): (\S+) \{ get \}/),
                    match.1 == match.3,
                    interface.ancestors[String(match.1)]?
                        .isDisjoint(with: ["OptionSet", "RawRepresentable"]) == false
                else { return nil }
                return "\(match.1).\(match.2)"
            }
            return Set(names)
        }
    }

    /// Enums whose cases stand for nothing else.
    private static let withoutRawValues = [
        "ConversationAction.State", "SetTranslatingAction.TranslationEngine",
        "Subscribers.Completion",
    ]

    @Test func `raw values are those of their sources`() throws {
        let table = try Table()
        #expect(table.withoutSource == [])
        let numbers = Set(0...64).union(table.values.values.compactMap { Int($0) })
        let found = RawValues.all(lookingAt: numbers)
        for (name, value) in table.values.sorted(by: { $0.key < $1.key }) {
            #expect(found[name] == value, "\(name)")
        }
        #expect(Set(found.keys).subtracting(table.values.keys).sorted() == [], "not in the table")
        #expect(table.values.count > 200)
    }

    @Test(arguments: [
        "AVFoundation", "CallKit", "Intents", "LiveCommunicationKit", "PushKit", "UIKit",
        "UnifiedLogging", "UserNotifications",
    ])
    func `each constant with a raw value has a source`(module: String) throws {
        let constants = try Table.constants(of: module)
        #expect(!constants.isEmpty)
        #expect(constants.subtracting(try Table().values.keys).sorted() == [])
    }
}
