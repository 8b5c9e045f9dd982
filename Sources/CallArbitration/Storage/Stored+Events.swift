internal import CallModel

extension ArbiterEvent: Storable {
    package func store(in writer: inout StateWriter) {
        switch self {
        case .providerRegistered(let registration): writer.write(UInt8(0), registration)
        case .providerUpdated(let id, let settings): writer.write(UInt8(1), id, settings)
        case .providerUnregistered(let provider): writer.write(UInt8(2), provider)
        case .providerLost(let provider): writer.write(UInt8(3), provider)
        case .providerExited(let provider): writer.write(UInt8(4), provider)
        case .incomingReported(let report): writer.write(UInt8(5), report)
        case .missedReported(let report): writer.write(UInt8(6), report)
        case .callReported(let report): writer.write(UInt8(7), report)
        case .screeningSettled(let call, let verdict): writer.write(UInt8(8), call, verdict)
        case .transactionRequested(let request): writer.write(UInt8(9), request)
        case .swapRequested(let token, let requester, let call, let options):
            writer.write(UInt8(10), token, requester, call, options)
        case .mergeRequested(let token, let requester, let call, let other, let options):
            writer.write(UInt8(11), token, requester)
            writer.write(call, other, options)
        case .splitRequested(let token, let by, let id, let options):
            writer.write(UInt8(12), token, by, id, options)
        case .buttonPressed(let token, let press): writer.write(UInt8(13), token, press)
        case .silenceRequested(let token, let by, let id): writer.write(UInt8(14), token, by, id)
        case .cancelRequested(let token): writer.write(UInt8(15), token)
        case .actionFulfilled(let action, let by, nil): writer.write(UInt8(16), action, by)
        case .actionFulfilled(let action, let provider, let at?):
            writer.write(UInt8(25), action, provider, at)
        case .actionFailed(let action, let provider, let failure):
            Self.store(failed: action, provider, failure, in: &writer)
        case .actionExtended(let action, let provider, let byMS):
            writer.write(UInt8(18), action, provider, byMS)
        case .offerSettled(let id, let by, let isTaken): writer.write(UInt8(19), id, by, isTaken)
        case .timerFired(let timer): writer.write(UInt8(20), timer)
        case .policyChanged(let policy): writer.write(UInt8(21), policy)
        case .brokerRestarted(let isSameBoot): writer.write(UInt8(22), isSameBoot)
        case .callerIdentified(let call, let caller): writer.write(UInt8(23), call, caller)
        case .providerStarting(let provider, let configuration):
            writer.write(UInt8(24), provider, configuration)
        case .providerRevoked(let provider): writer.write(UInt8(26), provider)
        case .callerPrioritized(let call): writer.write(UInt8(28), call)
        case .prioritizeRequested(let token, let by, let id):
            writer.write(UInt8(29), token, by, id)
        }
    }

    /// Stores a failed action. Without a message and a code, its form is that of earlier versions.
    private static func store(
        failed action: ActionID, _ provider: ProviderID, _ failure: ActionFailure,
        in writer: inout StateWriter
    ) {
        if failure.message == nil, failure.appCode == nil {
            writer.write(UInt8(17), action, provider, failure.code, failure.reason)
        } else {
            writer.write(UInt8(27), action, provider, failure)
        }
    }

    package init(from reader: inout StateReader) throws(StateError) {
        let number = try reader.takeByte()
        switch number {
        case 0: self = .providerRegistered(try reader.read())
        case 1: self = .providerUpdated(try reader.read(), try reader.read())
        case 2: self = .providerUnregistered(try reader.read())
        case 3: self = .providerLost(try reader.read())
        case 4: self = .providerExited(try reader.read())
        case 5: self = .incomingReported(try reader.read())
        case 6: self = .missedReported(try reader.read())
        case 7: self = .callReported(try reader.read())
        case 8: self = .screeningSettled(try reader.read(), try reader.read())
        case 9...15, 29: self = try Self.request(number, from: &reader)
        case 16: self = .actionFulfilled(try reader.read(), by: try reader.read())
        case 17:
            self = .actionFailed(
                try reader.read(), by: try reader.read(),
                ActionFailure(code: try reader.read(), reason: try reader.read()))
        case 18:
            self = .actionExtended(
                try reader.read(), by: try reader.read(), byMS: try reader.read())
        case 19:
            self = .offerSettled(
                try reader.read(), by: try reader.read(), isTaken: try reader.read())
        case 20: self = .timerFired(try reader.read())
        case 21: self = .policyChanged(try reader.read())
        case 22: self = .brokerRestarted(isSameBoot: try reader.read())
        case 23: self = .callerIdentified(try reader.read(), try reader.read())
        case 24: self = .providerStarting(try reader.read(), try reader.read())
        case 25:
            let (action, provider): (ActionID, ProviderID) = (try reader.read(), try reader.read())
            self = .actionFulfilled(action, by: provider, at: try reader.read() as Instant)
        case 26: self = .providerRevoked(try reader.read())
        case 27:
            self = .actionFailed(try reader.read(), by: try reader.read(), try reader.read())
        case 28: self = .callerPrioritized(try reader.read())
        default: throw reader.unexpected(UInt64(number), expected: "an event")
        }
    }

    /// Reads a request, whose number was read already.
    private static func request(
        _ number: UInt8, from reader: inout StateReader
    ) throws(StateError) -> ArbiterEvent {
        switch number {
        case 9: .transactionRequested(try reader.read())
        case 10:
            .swapRequested(
                try reader.read(), try reader.read(), call: try reader.read(), try reader.read())
        case 11:
            .mergeRequested(
                try reader.read(), try reader.read(), call: try reader.read(),
                with: try reader.read(), try reader.read())
        case 12:
            .splitRequested(
                try reader.read(), try reader.read(), call: try reader.read(), try reader.read())
        case 13: .buttonPressed(try reader.read(), try reader.read())
        case 14:
            .silenceRequested(try reader.read(), try reader.read(), call: try reader.read())
        case 15: .cancelRequested(try reader.read())
        case 29:
            .prioritizeRequested(try reader.read(), try reader.read(), call: try reader.read())
        default: throw reader.unexpected(UInt64(number), expected: "a request")
        }
    }
}

// MARK: - Requesters

extension RequestToken: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(number)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(try reader.read())
    }
}

extension Requester: Storable {
    package func store(in writer: inout StateWriter) {
        switch self {
        case .user: writer.put(byte: 0)
        case .app(let provider): writer.write(UInt8(1), provider)
        }
    }

    package init(from reader: inout StateReader) throws(StateError) {
        switch try reader.takeByte() {
        case 0: self = .user
        case 1: self = .app(try reader.read())
        case let other: throw reader.unexpected(UInt64(other), expected: "a requester")
        }
    }
}

// MARK: - Reports of providers

extension ProviderRegistration: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(token, provider, configuration, calls, hasMore)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            token: try reader.read(), provider: try reader.read(),
            configuration: try reader.read(), calls: try reader.read(),
            hasMore: try reader.read())
    }
}

extension LiveCall: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(call, direction, state, update, connectedAt)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            call: try reader.read(), direction: try reader.read(), state: try reader.read(),
            update: try reader.read(), connectedAt: try reader.read())
    }
}

extension IncomingReport: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(token, provider, call, update, needsScreening)
        writer.write(receivedAt)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            token: try reader.read(), provider: try reader.read(), call: try reader.read(),
            update: try reader.read(), needsScreening: try reader.read(),
            receivedAt: try reader.read())
    }
}

extension MissedReport: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(token, provider, call, update, reasons)
        writer.write(at)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            token: try reader.read(), provider: try reader.read(), call: try reader.read(),
            update: try reader.read(), reasons: try reader.read(), at: try reader.read())
    }
}

extension CallReport: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(token, provider, call, news, at)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            token: try reader.read(), provider: try reader.read(), call: try reader.read(),
            news: try reader.read(), at: try reader.read())
    }
}

extension CallReport.News: Storable {
    package func store(in writer: inout StateWriter) {
        switch self {
        case .connecting: writer.put(byte: 0)
        case .connected: writer.put(byte: 1)
        case .held(let isHeld): writer.write(UInt8(2), isHeld)
        case .muted(let isMuted): writer.write(UInt8(3), isMuted)
        case .group(let other): writer.write(UInt8(4), other)
        case .updated(let update): writer.write(UInt8(5), update)
        case .ended(let reason, nil, nil): writer.write(UInt8(6), reason)
        case .ended(let reason, let detail?, nil): writer.write(UInt8(7), reason, detail)
        case .ended(let reason, let detail, let device?):
            writer.write(UInt8(10), reason, detail, Optional(device))
        case .alerting(let hasEarlyMedia): writer.write(UInt8(8), hasEarlyMedia)
        case .external(let direction, let update): writer.write(UInt8(9), direction, update)
        }
    }

    package init(from reader: inout StateReader) throws(StateError) {
        switch try reader.takeByte() {
        case 0: self = .connecting
        case 1: self = .connected
        case 2: self = .held(try reader.read())
        case 3: self = .muted(try reader.read())
        case 4: self = .group(with: try reader.read())
        case 5: self = .updated(try reader.read())
        case 6: self = .ended(try reader.read())
        case 7: self = .ended(try reader.read(), try reader.read() as EndDetail)
        case 8: self = .alerting(hasEarlyMedia: try reader.read())
        case 9: self = .external(try reader.read(), try reader.read())
        case 10:
            self = .ended(
                try reader.read(), try reader.read() as EndDetail?,
                elsewhere: reader.called(try reader.read() as String?))
        case let other: throw reader.unexpected(UInt64(other), expected: "news of a call")
        }
    }
}

extension ActionFailure: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(code, reason, message, appCode)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(code: try reader.read(), reason: try reader.read())
        if reader.formVersion >= 6 { message = reader.called(try reader.read() as String?) }
        if reader.formVersion >= 7 { appCode = reader.called(code: try reader.read()) }
    }
}

// MARK: - Requests

extension TransactionRequest: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(token, requester, actions, options)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            token: try reader.read(), requester: try reader.read(),
            actions: try reader.read(), options: try reader.read())
    }
}

extension RequestedAction: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(call, provider, action, choice)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            call: try reader.read(), provider: try reader.read(), action: try reader.read(),
            choice: try reader.read())
    }
}

extension CallOptions: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(onConflict, wait, isDryRun, deadlineMS, transaction)
        writer.write(endsGroup)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init()
        onConflict = try reader.read()
        wait = try reader.read()
        isDryRun = try reader.read()
        deadlineMS = try reader.read()
        transaction = try reader.read()
        if reader.formVersion >= 7 { endsGroup = try reader.read() }
    }
}

// MARK: - Other events

extension ScreeningVerdict: Storable {
    package func store(in writer: inout StateWriter) {
        switch self {
        case .block(let reason, let filter): writer.write(UInt8(0), reason, filter)
        case .allow: writer.put(byte: 1)
        case .doNotDisturb: writer.put(byte: 2)
        case .silence(let filter): writer.write(UInt8(3), filter)
        case .ring: writer.put(byte: 4)
        case .timedOut: writer.put(byte: 5)
        case .ringInCall: writer.put(byte: 6)
        }
    }

    package init(from reader: inout StateReader) throws(StateError) {
        switch try reader.takeByte() {
        case 0: self = .block(try reader.read(), by: try reader.read())
        case 1: self = .allow
        case 2: self = .doNotDisturb
        case 3: self = .silence(by: try reader.read())
        case 4: self = .ring
        case 5: self = .timedOut
        case 6: self = .ringInCall
        case let other: throw reader.unexpected(UInt64(other), expected: "a verdict")
        }
    }
}

extension TimerID: Storable {
    package func store(in writer: inout StateWriter) {
        switch self {
        case .action(let action): writer.write(UInt8(0), action)
        case .ring(let call): writer.write(UInt8(1), call)
        case .dial(let call): writer.write(UInt8(2), call)
        case .startSilence(let call): writer.write(UInt8(3), call)
        case .screening(let call): writer.write(UInt8(4), call)
        case .grace(let provider): writer.write(UInt8(5), provider)
        case .emergencyCallback(let provider): writer.write(UInt8(6), provider)
        case .endingWait(let transaction): writer.write(UInt8(7), transaction)
        case .offer(let transaction, let provider): writer.write(UInt8(8), transaction, provider)
        case .videoRequest(let call): writer.write(UInt8(9), call)
        case .textRequest(let call): writer.write(UInt8(10), call)
        }
    }

    package init(from reader: inout StateReader) throws(StateError) {
        switch try reader.takeByte() {
        case 0: self = .action(try reader.read())
        case 1: self = .ring(try reader.read())
        case 2: self = .dial(try reader.read())
        case 3: self = .startSilence(try reader.read())
        case 4: self = .screening(try reader.read())
        case 5: self = .grace(try reader.read())
        case 6: self = .emergencyCallback(try reader.read())
        case 7: self = .endingWait(try reader.read())
        case 8: self = .offer(try reader.read(), try reader.read())
        case 9: self = .videoRequest(try reader.read())
        case 10: self = .textRequest(try reader.read())
        case let other: throw reader.unexpected(UInt64(other), expected: "a timer")
        }
    }
}
