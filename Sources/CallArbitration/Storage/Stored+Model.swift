package import CallModel

// MARK: - Identifiers

extension UUIDBits: Storable {
    package func store(in writer: inout StateWriter) {
        writer.put(whole: high)
        writer.put(whole: low)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(high: try reader.takeWhole(), low: try reader.takeWhole())
    }
}

extension CallID: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(bits)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(try reader.read())
    }
}

extension ActionID: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(bits)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(try reader.read())
    }
}

extension TransactionID: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(bits)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(try reader.read())
    }
}

extension ProviderID: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(name)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(try reader.read())
    }
}

extension Instant: Storable {
    package func store(in writer: inout StateWriter) {
        writer.put(signed: nanoseconds)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(nanoseconds: try reader.takeSigned())
    }
}

// MARK: - Calls

extension Handle: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(kind, value)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self = reader.called(Handle(kind: try reader.read(), value: try reader.read()))
    }
}

extension Handle.Kind: Storable {
    package func store(in writer: inout StateWriter) {
        switch self {
        case .phone: writer.put(byte: 0)
        case .email: writer.put(byte: 1)
        case .generic: writer.put(byte: 2)
        case .other(let name): writer.write(UInt8(3), name)
        }
    }

    package init(from reader: inout StateReader) throws(StateError) {
        switch try reader.takeByte() {
        case 0: self = .phone
        case 1: self = .email
        case 2: self = .generic
        case 3: self = .other(try reader.read())
        case let other: throw reader.unexpected(UInt64(other), expected: "a kind of handle")
        }
    }
}

extension Change: Storable where Value: Storable {
    package func store(in writer: inout StateWriter) {
        switch self {
        case .unchanged: writer.put(flag: false)
        case .set(let value): writer.write(true, true, value)
        case .cleared: writer.write(true, false)
        }
    }

    package init(from reader: inout StateReader) throws(StateError) {
        guard try reader.takeFlag() else {
            self = .unchanged
            return
        }
        self = try reader.takeFlag() ? .set(try reader.read()) : .cleared
    }
}

extension Caller: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(name, label, source)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        let (name, label): (String?, String?) = (try reader.read(), try reader.read())
        self.init(
            name: reader.called(name), label: reader.called(label), source: try reader.read())
    }
}

extension EndDetail: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(reason?.rawValue, text, code)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        let word: String? = try reader.read()
        let (text, code): (String?, String?) = (try reader.read(), try reader.read())
        self.init(
            word.map { Reason(rawValue: reader.called(reason: $0)) }, text: reader.called(text),
            code: reader.called(code: code))
    }
}

extension CallUpdate: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(remote, displayName, hasVideo, supportsHolding, supportsGrouping)
        writer.write(supportsUngrouping, supportsDTMF, isRemoteHeld, priority, hasEarlyMedia)
        writer.write(line, forwardedFrom, verification, externalID)
        writer.write(supportsTransfer, supportsAttendedTransfer, supportsDeflect, endpoints)
        writer.write(elsewhere, supportsPull)
        writer.write(video, supportsSetVideo, videoRequest)
        writer.write(hasText, supportsSetText, textRequest)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init()
        remote = try reader.read()
        displayName = reader.called(try reader.read() as Change<String>)
        hasVideo = try reader.read()
        supportsHolding = try reader.read()
        supportsGrouping = try reader.read()
        supportsUngrouping = try reader.read()
        supportsDTMF = try reader.read()
        isRemoteHeld = try reader.read()
        priority = try reader.read()
        guard reader.formVersion >= 7 else { return }
        hasEarlyMedia = try reader.read()
        line = reader.called(try reader.read() as Change<String>)
        forwardedFrom = try reader.read()
        verification = try reader.read()
        externalID = reader.called(try reader.read() as Change<String>)
        supportsTransfer = try reader.read()
        supportsAttendedTransfer = try reader.read()
        supportsDeflect = try reader.read()
        endpoints = try reader.read()
        elsewhere = reader.called(try reader.read() as Change<String>)
        supportsPull = try reader.read()
        video = try reader.read()
        supportsSetVideo = try reader.read()
        videoRequest = try reader.read()
        hasText = try reader.read()
        supportsSetText = try reader.read()
        textRequest = try reader.read()
    }
}

extension CallProperties: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(remote, displayName, hasVideo, supportsHolding, supportsGrouping)
        writer.write(supportsUngrouping, supportsDTMF, isRemoteHeld, priority, hasEarlyMedia)
        writer.write(line, forwardedFrom, verification, externalID)
        writer.write(supportsTransfer, supportsAttendedTransfer, supportsDeflect, endpoints)
        writer.write(elsewhere, supportsPull)
        writer.write(video, supportsSetVideo, videoRequest)
        writer.write(hasText, supportsSetText, textRequest)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init()
        remote = try reader.read()
        displayName = reader.called(try reader.read() as String?)
        hasVideo = try reader.read()
        supportsHolding = try reader.read()
        supportsGrouping = try reader.read()
        supportsUngrouping = try reader.read()
        supportsDTMF = try reader.read()
        isRemoteHeld = try reader.read()
        priority = try reader.read()
        guard reader.formVersion >= 7 else { return }
        hasEarlyMedia = try reader.read()
        line = reader.called(try reader.read() as String?)
        forwardedFrom = try reader.read()
        verification = try reader.read()
        externalID = reader.called(try reader.read() as String?)
        supportsTransfer = try reader.read()
        supportsAttendedTransfer = try reader.read()
        supportsDeflect = try reader.read()
        endpoints = try reader.read()
        elsewhere = reader.called(try reader.read() as String?)
        supportsPull = try reader.read()
        video = try reader.read()
        supportsSetVideo = try reader.read()
        videoRequest = try reader.read()
        hasText = try reader.read()
        supportsSetText = try reader.read()
        textRequest = try reader.read()
    }
}

extension AudioEndpoint: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(id, kind.rawValue, name, state)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        let (id, kind): (String, String) = (try reader.read(), try reader.read())
        let name: String? = try reader.read()
        self.init(
            id: reader.called(id), kind: Kind(rawValue: kind), name: reader.called(name),
            state: try reader.read())
    }
}

// MARK: - Actions

extension CallAction: Storable {
    package func store(in writer: inout StateWriter) {
        switch self {
        case .start(let arguments): writer.write(UInt8(0), arguments)
        case .answer: writer.put(byte: 1)
        case .end: writer.put(byte: 2)
        case .setHeld(let isHeld): writer.write(UInt8(3), isHeld)
        case .setMuted(let isMuted): writer.write(UInt8(4), isMuted)
        case .setGroup(let other): writer.write(UInt8(5), other)
        case .playDTMF(let digits, let style): writer.write(UInt8(6), digits, style)
        case .transfer(let address): writer.write(UInt8(7), address)
        case .attendedTransfer(let other): writer.write(UInt8(8), other)
        case .deflect(let address): writer.write(UInt8(9), address)
        case .setEndpoint(let endpoint): writer.write(UInt8(10), endpoint)
        case .setVideo(let video): writer.write(UInt8(11), video)
        case .setText(let hasText): writer.write(UInt8(12), hasText)
        }
    }

    package init(from reader: inout StateReader) throws(StateError) {
        switch try reader.takeByte() {
        case 0: self = .start(try reader.read())
        case 1: self = .answer
        case 2: self = .end
        case 3: self = .setHeld(try reader.read())
        case 4: self = .setMuted(try reader.read())
        case 5: self = .setGroup(with: try reader.read())
        case 6:
            let digits: String = try reader.read()
            self = .playDTMF(digits: reader.dialed(digits), try reader.read())
        case 7: self = .transfer(to: try reader.read())
        case 8: self = .attendedTransfer(with: try reader.read())
        case 9: self = .deflect(to: try reader.read())
        case 10: self = .setEndpoint(reader.called(try reader.read() as String))
        case 11: self = .setVideo(try reader.read())
        case 12: self = .setText(try reader.read())
        case let other: throw reader.unexpected(UInt64(other), expected: "an action")
        }
    }
}

extension StartArguments: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(remote, hasVideo, contact, isEmergency)
        writer.write(line, isBackground, hasText)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(remote: try reader.read(), hasVideo: try reader.read())
        contact = reader.called(try reader.read() as String?)
        isEmergency = try reader.read()
        guard reader.formVersion >= 7 else { return }
        line = reader.called(try reader.read() as String?)
        isBackground = try reader.read()
        hasText = try reader.read()
    }
}

extension Cause: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(origin, rule, transaction, becauseOf)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            try reader.read(), rule: try reader.read(), transaction: try reader.read(),
            becauseOf: try reader.read())
    }
}

// MARK: - Refusals

extension Refusal: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(reason, rule, limit, blocking, actionIndex)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            try reader.read(), rule: try reader.read(), limit: try reader.read(),
            blocking: try reader.read())
        actionIndex = try reader.read()
    }
}

extension Refusal.Limit: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(name, value)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(name: try reader.read(), value: try reader.read())
    }
}

extension Refusal.Blocker: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(call, provider)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(call: try reader.read(), provider: try reader.read())
    }
}

// MARK: - Providers

extension StartBy: Storable {
    package func store(in writer: inout StateWriter) {
        switch self {
        case .dbus(let name): writer.write(true, name)
        case .desktop(let name): writer.write(false, name)
        }
    }

    package init(from reader: inout StateReader) throws(StateError) {
        let isBusName: Bool = try reader.read()
        self = isBusName ? .dbus(try reader.read()) : .desktop(try reader.read())
    }
}

extension ProviderConfiguration: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(displayName, handleKinds, urlSchemes, supportsVideo, maxCallGroups)
        writer.write(maxCallsPerGroup, includesInRecents, ringtone, icon)
        storeDeadlines(in: &writer)
        writer.write(ringTimeoutMS, graceMS, resumesWhenFreed, takesTransactions, appIsSeparate)
        writer.write(lines, kind, supportsText, startBy, pushTypes)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(displayName: try reader.read(), handleKinds: try reader.read())
        urlSchemes = try reader.read()
        supportsVideo = try reader.read()
        maxCallGroups = try reader.read()
        maxCallsPerGroup = try reader.read()
        includesInRecents = try reader.read()
        ringtone = try reader.read()
        icon = try reader.read()
        for _ in 0..<(try reader.takeCount("the deadlines")) {
            actionDeadlinesMS[try reader.read()] = try reader.read() as Int
        }
        ringTimeoutMS = try reader.read()
        graceMS = try reader.read()
        resumesWhenFreed = try reader.read()
        takesTransactions = try reader.read()
        appIsSeparate = try reader.read()
        guard reader.formVersion >= 7 else { return }
        lines = try reader.read()
        kind = try reader.read()
        supportsText = try reader.read()
        startBy = try reader.read()
        pushTypes = try reader.read()
    }

    /// Stores deadlines in the order of the kinds, as that of a dictionary differs between
    /// processes.
    private func storeDeadlines(in writer: inout StateWriter) {
        writer.put(number: UInt64(actionDeadlinesMS.count))
        guard !actionDeadlinesMS.isEmpty else { return }
        for kind in ActionKind.stored {
            if let milliseconds = actionDeadlinesMS[kind] { writer.write(kind, milliseconds) }
        }
    }
}

extension Line: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(id, label, handle, urlSchemes, isDefault)
        writer.write(state, reason, maxCalls, messagesWaiting, voicemail)
        writer.write(settings)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            id: reader.called(try reader.read() as String),
            label: reader.called(try reader.read() as String))
        handle = try reader.read()
        urlSchemes = try reader.read()
        isDefault = try reader.read()
        state = try reader.read()
        reason = reader.called(try reader.read() as String?)
        maxCalls = try reader.read()
        messagesWaiting = try reader.read()
        voicemail = try reader.read()
        settings = try reader.read()
    }
}

extension LineSetting: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(kind, isOn, to, afterMS)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            try reader.read(), isOn: try reader.read(), to: try reader.read(),
            afterMS: try reader.read())
    }
}
