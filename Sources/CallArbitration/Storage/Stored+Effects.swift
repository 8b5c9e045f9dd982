extension Dispatch: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(action, provider, call, kind)
        writer.write(transaction, cause, deadlineMS, attempt, ageMS)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            action: try reader.read(), provider: try reader.read(), call: try reader.read(),
            kind: try reader.read(), transaction: try reader.read(), cause: try reader.read(),
            deadlineMS: try reader.read(), attempt: try reader.readTally())
        if reader.formVersion >= 6 { ageMS = try reader.read() }
    }
}

extension TransactionReport: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(transaction, state, entries, refusal)
        writer.write(wouldHold, wouldEnd, isJoined, wouldActivate)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            transaction: try reader.read(), state: try reader.read(), entries: try reader.read(),
            refusal: try reader.read())
        wouldHold = try reader.read()
        wouldEnd = try reader.read()
        isJoined = try reader.read()
        if reader.formVersion >= 6 { wouldActivate = try reader.read() }
    }
}

extension TransactionReport.Entry: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(action, kind, call)
        writer.write(provider, isImplied, state, failure)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            action: try reader.read(), kind: try reader.read(), call: try reader.read(),
            provider: try reader.read(), isImplied: try reader.read(), state: try reader.read())
        if reader.formVersion >= 6 { failure = try reader.read() }
    }
}
