package import CallArbitration
package import CallModel

extension ScreeningPolicy: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(doNotDisturb, silencesUnknownCallers, region)
    }

    package init(from reader: inout StateReader) throws(StateFault) {
        self.init()
        doNotDisturb = try reader.read()
        silencesUnknownCallers = try reader.read()
        region = try reader.read()
    }
}

extension DoNotDisturb: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(isOn, untilMS.map(Int.init), schedule, letsRepeatedCallsPass)
    }

    package init(from reader: inout StateReader) throws(StateFault) {
        self.init()
        isOn = try reader.read()
        untilMS = (try reader.read() as Int?).map(Int64.init)
        schedule = try reader.read()
        letsRepeatedCallsPass = try reader.read()
    }
}

extension WeeklyPeriod: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(days, start, end)
    }

    package init(from reader: inout StateReader) throws(StateFault) {
        self.init(days: try reader.read(), start: try reader.read(), end: try reader.read())
    }
}

/// Words are stored by numbers that never change.
extension Authorization: Storable {
    package func store(in writer: inout StateWriter) {
        switch self {
        case .notDetermined: writer.write(UInt8(0))
        case .authorized: writer.write(UInt8(1))
        case .denied: writer.write(UInt8(2))
        }
    }

    package init(from reader: inout StateReader) throws(StateFault) {
        switch try reader.read() as UInt8 {
        case 0: self = .notDetermined
        case 1: self = .authorized
        case 2: self = .denied
        case let other: throw reader.unexpected(UInt64(other), expected: "an authorization")
        }
    }
}

extension NewProviders: Storable {
    package func store(in writer: inout StateWriter) {
        switch self {
        case .allow: writer.write(UInt8(0))
        case .ask: writer.write(UInt8(1))
        case .deny: writer.write(UInt8(2))
        }
    }

    package init(from reader: inout StateReader) throws(StateFault) {
        switch try reader.read() as UInt8 {
        case 0: self = .allow
        case 1: self = .ask
        case 2: self = .deny
        case let other:
            throw reader.unexpected(UInt64(other), expected: "what becomes of new providers")
        }
    }
}
