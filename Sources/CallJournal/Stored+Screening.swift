package import CallArbitration
package import CallModel

extension ScreeningPolicy: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(doNotDisturb, silencesUnknownCallers, region)
    }

    package init(from reader: inout StateReader) throws(StateError) {
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

    package init(from reader: inout StateReader) throws(StateError) {
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

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(days: try reader.read(), start: try reader.read(), end: try reader.read())
    }
}

extension Authorization: StoredWord {
    package static let stored: [Authorization] = [.notDetermined, .authorized, .denied]
}

extension EmergencyClaims.Word: StoredWord {
    package static let stored: [EmergencyClaims.Word] = [.allowed, .ask, .denied]
}

extension NewProviders: StoredWord {
    package static let stored: [NewProviders] = [.allow, .ask, .deny]
}
