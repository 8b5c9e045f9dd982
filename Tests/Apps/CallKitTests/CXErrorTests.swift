import CallKit
import Testing

/// Errors are caught as apps catch them, whichever way they come.
struct CXErrorTests {
    static let sent: [any Error] = [
        CXErrorCodeRequestTransactionError(.maximumCallGroupsReached),
        NSError(domain: CXErrorDomainRequestTransaction, code: 7),
    ]

    @Test(arguments: sent.indices) func `an error is an NSError, and its own kind`(index: Int) {
        let error = Self.sent[index]
        #expect((error as NSError).code == 7)
        #expect(((error as Any) as? NSError)?.domain == CXErrorDomainRequestTransaction)
        #expect((error as? CXErrorCodeRequestTransactionError)?.code == .maximumCallGroupsReached)
        #expect(error as? CXErrorCodeIncomingCallError == nil)
        #expect(error.localizedDescription.contains("requesttransaction error 7"))
    }

    @Test(arguments: sent.indices) func `an error is caught by its code`(index: Int) {
        do {
            throw Self.sent[index]
        } catch CXErrorCodeRequestTransactionError.emptyTransaction {
            Issue.record("another code")
        } catch CXErrorCodeRequestTransactionError.maximumCallGroupsReached {
            return
        } catch {
            Issue.record("not caught")
        }
    }

    @Test(arguments: sent.indices) func `an error is caught as NSError`(index: Int) {
        do {
            throw Self.sent[index]
        } catch let error as NSError {
            let code = CXErrorCodeRequestTransactionError.Code(rawValue: error.code)
            #expect(code == .maximumCallGroupsReached)
        }
    }

    @Test func `the numbers are CallKit's`() {
        #expect(CXErrorDomain == "com.apple.CallKit.error")
        #expect((0...3).allSatisfy { CXError.Code(rawValue: $0) != nil })
        #expect(CXError.Code(rawValue: 4) == nil)
        #expect(CXErrorCodeIncomingCallError.callUUIDAlreadyExists.rawValue == 2)
        #expect(CXErrorCodeIncomingCallError.filteredByDoNotDisturb.rawValue == 3)
        #expect(CXErrorCodeIncomingCallError.filteredBySensitiveParticipants.rawValue == 7)
        #expect(CXErrorCodeIncomingCallError.Code(rawValue: 8) == nil)
        #expect(CXErrorCodeRequestTransactionError.callIsProtected.rawValue == 8)
        #expect(CXErrorCodeRequestTransactionError.Code(rawValue: 9) == nil)
        #expect(CXErrorCodeCallDirectoryManagerError.unexpectedIncrementalRemoval.rawValue == 8)
        #expect(CXErrorCodeCallDirectoryManagerError.Code(rawValue: 9) == nil)
        #expect(
            CXErrorCodeNotificationServiceExtensionError.missingNotificationFilteringEntitlement
                .rawValue == 2)
    }

    @Test func `errors with the same code are the same`() {
        #expect(CXError(.invalidArgument) == CXError(.invalidArgument))
        #expect(CXError(.invalidArgument) != CXError(.unentitled))
        #expect(Set([CXError(.unentitled), CXError(.unentitled)]).count == 1)
    }
}
