import BrokerSocket
import CallStore
import CallerLists
import Testing

@testable import CallBrokerTool

/// The faults of other modules in the words of the catalog, which in English are those that a log
/// has.
struct FaultWordsTests {
    private static let connections: [ConnectionFault] = [
        .noListener(path: "/x", reason: "Connection refused"), .notAccepting(path: "/x"),
        .unreachable(path: "/x", reason: "Permission denied"), .noReply, .closed, .tooManyEvents,
        .longLine(bytesMax: 9), .longPath(path: "/x", bytesMax: 1), .noPath,
    ]

    private static let cards: [VCardError.Reason] = [
        .notUTF8, .holdsNUL, .noColon, .openQuote, .noPropertyName, .noParameterName,
        .continuation, .longLine(bytesMax: 9), .cardInside, .noBegin, .noVersion, .noName,
        .duplicate, .noEnd(begin: 7), .tooManyCards(most: 8), .tooManyAddresses(most: 9),
        .quotedPrintable, .charset, .version, .noApp, .longAddress(bytesMax: 7),
        .longName(bytesMax: 8), .longID(bytesMax: 9),
    ]

    private static let lists: [CallerListError.Reason] = [
        .longLine(bytesMax: 9), .notUTF8, .openQuote, .noSeparator, .repeatedColumn,
        .notTruth(column: 3), .notJSON(column: 4, message: "expected a value"), .notObject,
        .numberType, .labelType, .blockedType, .unknownMember, .repeatedNumber, .lowerNumber,
        .noLabel, .incompleteNumber, .numberWithoutCountry,
    ]

    @Test(arguments: connections)
    func `the fault of a connection`(_ fault: ConnectionFault) {
        let error = SocketError(fault)
        #expect(error.words == error.description)
    }

    @Test func `what the system says is said as it is`() {
        let error = SocketError(.system, "cannot open /x: Permission denied")
        #expect(error.words == error.description)
    }

    @Test(arguments: cards)
    func `the mistake of a card`(_ reason: VCardError.Reason) {
        let error = VCardError(line: 3, reason: reason)
        #expect(error.words == error.description)
    }

    @Test(arguments: lists)
    func `the mistake of a list`(_ reason: CallerListError.Reason) {
        let error = CallerListError(line: 3, reason: reason)
        #expect(error.words == error.description)
    }
}
