package import BrokerJSON
package import CallModel

extension Line {
    /// Reads a checked line.
    package init(checked value: JSONValue) {
        self.init(id: value["line"]?.string ?? "", label: value["label"]?.string ?? "")
        handle = value["handle"].map { Handle(checked: $0) }
        urlSchemes = value["url_schemes"]?.elements.compactMap(\.string) ?? []
        isDefault = value["default"]?.boolean ?? false
        state = value["state"]?.string.flatMap(State.init(rawValue:)) ?? .registered
        reason = value["reason"]?.string
        maxCalls = value["max_calls"]?.integer.map(Int.init)
        messagesWaiting = value["messages_waiting"]?.integer.map(Int.init)
        voicemail = value["voicemail"].map { Handle(checked: $0) }
        settings = value["settings"]?.elements.compactMap { LineSetting(checked: $0) } ?? []
    }
}

extension JSONWriter {
    package mutating func member(_ name: StaticString, lines: [Line]) {
        self.name(name)
        array { writer in for line in lines { writer.object { $0.members(of: line) } } }
    }

    private mutating func members(of line: Line) {
        member("line", line.id)
        member("label", line.label)
        if let handle = line.handle { member("handle", handle) }
        if !line.urlSchemes.isEmpty { member("url_schemes", words: line.urlSchemes) }
        member("default", line.isDefault)
        member("state", line.state.rawValue)
        member("reason", ifSet: line.reason)
        member("max_calls", ifSet: line.maxCalls)
        member("messages_waiting", ifSet: line.messagesWaiting)
        if let voicemail = line.voicemail { member("voicemail", voicemail) }
        if !line.settings.isEmpty { member("settings", settings: line.settings) }
    }
}
