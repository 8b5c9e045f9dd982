import Foundation
import Testing

@testable import CallKit

/// What apps find when they import these modules, against tables of what they are to find.
@Suite(.serialized, .timeLimit(.minutes(30))) struct InterfaceTests {
    private static let shims = [
        "AVFoundation", "Combine", "Intents", "PushKit", "Selectors", "UIKit", "UnifiedLogging",
        "UserNotifications",
    ]

    @Test(arguments: ["CallKit", "LiveCommunicationKit"] + shims)
    func `a module offers what its table says, and nothing else`(module: String) throws {
        let table = try InterfaceTable(of: module)
        let surface = try PublicSurface.of(module)
        #expect(table.rows.subtracting(surface.rows).sorted() == [], "missing from \(module)")
        #expect(surface.rows.subtracting(table.rows).sorted() == [], "not in the table")
        for (type, ancestors) in table.ancestors {
            let lacks = ancestors.subtracting(surface.ancestry[type] ?? [])
            #expect(lacks == [], "\(type) is not one")
        }
        for (type, strangers) in table.strangers {
            #expect(surface.ancestry[type, default: []].isDisjoint(with: strangers), "\(type)")
        }
    }

    @Test(arguments: shims)
    func `of a shim each member has a verdict, and what is absent is absent`(module: String) throws
    {
        let table = try InterfaceTable(of: module)
        let surface = try PublicSurface.of(module)
        let members = table.rows.filter { $0.contains(" | ") && !$0.contains(" | case ") }
        #expect(members.filter { table.verdicts[$0] == nil }.sorted() == [])
        for name in table.absent {
            let rows = surface.rows.filter { $0.contains(name) }
            #expect(rows == [], "\(module) has \(name) now: say what it does")
        }
    }

    @Test func `numbers are those of the table`() throws {
        #expect(try InterfaceTable(of: "CallKit").numbers == Self.numbers)
    }

    private static let numbers: [String: Int] = Dictionary(
        uniqueKeysWithValues: [
            numbers("CXHandle.HandleType", 1...3, CXHandle.HandleType.init),
            numbers("CXCallEndedReason", 1...5, CXCallEndedReason.init),
            numbers("CXTranslationEngine", 0...1, CXTranslationEngine.init),
            numbers(
                "CXPlayDTMFCallAction.ActionType", 1...3, CXPlayDTMFCallAction.ActionType.init),
            numbers(
                "CXCallDirectoryManager.EnabledStatus", 0...2,
                CXCallDirectoryManager.EnabledStatus.init),
            numbers("CXError.Code", 0...3, CXError.Code.init),
            numbers(
                "CXErrorCodeIncomingCallError.Code", 0...7, CXErrorCodeIncomingCallError.Code.init),
            numbers(
                "CXErrorCodeRequestTransactionError.Code", 0...8,
                CXErrorCodeRequestTransactionError.Code.init),
            numbers(
                "CXErrorCodeCallDirectoryManagerError.Code", 0...8,
                CXErrorCodeCallDirectoryManagerError.Code.init),
            numbers(
                "CXErrorCodeNotificationServiceExtensionError.Code", 0...2,
                CXErrorCodeNotificationServiceExtensionError.Code.init),
        ].joined().map { $0 })

    /// The cases that have the numbers from one below to one above a range.
    private static func numbers<Value>(
        _ type: String, _ range: ClosedRange<Int>, _ make: (Int) -> Value?
    ) -> [(String, Int)] {
        (range.lowerBound - 1...range.upperBound + 1).compactMap { number in
            make(number).map { ("\(type).\($0)", number) }
        }
    }

    @Test func `domains are CallKit's`() {
        let general = "com.apple.CallKit.error"
        #expect(CXErrorDomain == general)
        #expect(CXErrorDomainIncomingCall == general + ".incomingcall")
        #expect(CXErrorDomainRequestTransaction == general + ".requesttransaction")
        #expect(CXErrorDomainCallDirectoryManager == general + ".calldirectorymanager")
        #expect(
            CXErrorDomainNotificationServiceExtension == general + ".notificationserviceextension")
        #expect(CXCallDirectoryPhoneNumberMax == Int64.max - 1)
    }
}
