internal import CallStore
internal import CallerLists

extension VCardError {
    /// The error in the language of the user.
    var words: String {
        Messages.importLine(line: "\(line)", problem: reason.words)
    }
}

extension VCardError.Reason {
    fileprivate var words: String {
        switch self {
        case .notUTF8: Messages.importNotUtf8
        case .holdsNUL: Messages.importHoldsNul
        case .noColon: Messages.importNoColon
        case .openQuote: Messages.importOpenQuote
        case .noPropertyName: Messages.importNoPropertyName
        case .noParameterName: Messages.importNoParameterName
        case .continuation: Messages.importContinuation
        case .longLine(let bytesMax): Messages.importLongLine(bytes: "\(bytesMax)")
        case .cardInside: Messages.importCardInside
        case .noBegin: Messages.importNoBegin
        case .noVersion: Messages.importNoVersion
        case .noName: Messages.importNoName
        case .duplicate: Messages.importDuplicate
        case .noEnd(let begin): Messages.importNoEnd(line: "\(begin)")
        case .tooManyCards(let most): Messages.importTooManyCards(most: "\(most)")
        case .tooManyAddresses(let most): Messages.importTooManyAddresses(most: "\(most)")
        case .quotedPrintable: Messages.importQuotedPrintable
        case .charset: Messages.importCharset
        case .version: Messages.importVersion
        case .noApp: Messages.importNoApp
        case .longAddress(let bytesMax): Messages.importLongAddress(bytes: "\(bytesMax)")
        case .longName(let bytesMax): Messages.importLongName(bytes: "\(bytesMax)")
        case .longID(let bytesMax): Messages.importLongId(bytes: "\(bytesMax)")
        }
    }
}

extension CallerListError {
    /// The error in the language of the user.
    var words: String {
        Messages.importLine(line: "\(line)", problem: reason.words)
    }
}

extension CallerListError.Reason {
    fileprivate var words: String {
        switch self {
        case .longLine(let bytesMax): Messages.importLongLine(bytes: "\(bytesMax)")
        case .notUTF8: Messages.importNotUtf8
        case .openQuote: Messages.importOpenQuote
        case .noSeparator: Messages.importNoSeparator
        case .repeatedColumn: Messages.importRepeatedColumn
        case .notTruth(let column): Messages.importNotTruth(column: "\(column)")
        case .notJSON(let column, let message):
            Messages.importNotJson(column: "\(column)", message: message)
        case .notObject: Messages.importNotObject
        case .numberType: Messages.importNumberType
        case .labelType: Messages.importLabelType
        case .blockedType: Messages.importBlockedType
        case .unknownMember: Messages.importUnknownMember
        case .repeatedNumber: Messages.importRepeatedNumber
        case .lowerNumber: Messages.importLowerNumber
        case .noLabel: Messages.importNoLabel
        case .incompleteNumber: Messages.importIncompleteNumber
        case .numberWithoutCountry: Messages.importNumberWithoutCountry
        }
    }
}
