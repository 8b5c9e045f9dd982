import CallKit

/// A list of callers, in the shape that project templates give it.
public class CallDirectoryHandler: CXCallDirectoryProvider {
    public static var failures: [NSError] = []

    public override func beginRequest(with context: CXCallDirectoryExtensionContext) {
        context.delegate = self

        // Check whether this is an "incremental" request.
        if context.isIncremental {
            addOrRemoveIncrementalBlockingPhoneNumbers(to: context)
        } else {
            addAllBlockingPhoneNumbers(to: context)
            addAllIdentificationPhoneNumbers(to: context)
        }

        context.completeRequest()
    }

    private func addAllBlockingPhoneNumbers(to context: CXCallDirectoryExtensionContext) {
        let allPhoneNumbers: [CXCallDirectoryPhoneNumber] = [1_408_555_5555, 1_800_555_5555]
        for phoneNumber in allPhoneNumbers {
            context.addBlockingEntry(withNextSequentialPhoneNumber: phoneNumber)
        }
    }

    private func addOrRemoveIncrementalBlockingPhoneNumbers(
        to context: CXCallDirectoryExtensionContext
    ) {
        context.removeAllBlockingEntries()
        context.removeBlockingEntry(withPhoneNumber: 1_408_555_5555)
    }

    private func addAllIdentificationPhoneNumbers(to context: CXCallDirectoryExtensionContext) {
        let allPhoneNumbers: [CXCallDirectoryPhoneNumber] = [1_877_555_5555, 1_888_555_5555]
        let labels = ["Telemarketer", "Local business"]
        for (phoneNumber, label) in zip(allPhoneNumbers, labels) {
            context.addIdentificationEntry(
                withNextSequentialPhoneNumber: phoneNumber, label: label)
        }
    }
}

extension CallDirectoryHandler: CXCallDirectoryExtensionContextDelegate {
    public func requestFailed(
        for extensionContext: CXCallDirectoryExtensionContext, withError error: Error
    ) {
        CallDirectoryHandler.failures.append(error as NSError)
    }
}

/// What an app's settings show.
public func reloadDirectory(_ identifier: String, done: @escaping (String) -> Void) {
    CXCallDirectoryManager.sharedInstance.reloadExtension(withIdentifier: identifier) { error in
        guard let error = error as? CXErrorCodeCallDirectoryManagerError else {
            return done("loaded")
        }
        switch error.code {
        case .noExtensionFound: done("no extension")
        case .extensionDisabled: done("switch it on in the settings")
        case .entriesOutOfOrder, .duplicateEntries: done("the list is wrong")
        case .currentlyLoading: done("wait")
        case .unknown, .loadingInterrupted, .maximumEntriesExceeded,
            .unexpectedIncrementalRemoval:
            done("try again")
        @unknown default: done("?")
        }
    }
}
