package import BrokerJSON
package import CallModel

extension ProviderConfiguration {
    /// Reads a registration from checked params.
    package init(checked params: JSONValue) {
        self.init(displayName: "", handleKinds: [])
        merge(checked: params)
    }

    /// Applies the members that are present; null restores a default.
    package mutating func merge(checked params: JSONValue) {
        Self.set(&displayName, to: params["display_name"]?.string)
        Self.set(&handleKinds, to: params["handle_types"]?.elements.map { Handle.Kind($0) })
        Self.set(&urlSchemes, to: params["url_schemes"]?.elements.compactMap(\.string))
        Self.set(&supportsVideo, to: params["supports_video"]?.boolean)
        Self.set(&supportsText, to: params["supports_text"]?.boolean)
        Self.set(&maxCallGroups, to: params["max_call_groups"]?.integer.map(Int.init))
        Self.set(&maxCallsPerGroup, to: params["max_calls_per_group"]?.integer.map(Int.init))
        Self.set(&includesInRecents, to: params["includes_in_recents"]?.boolean)
        if let name = params["ringtone"] { ringtone = name.string }
        if let name = params["icon"] { icon = name.string }
        if let table = params["action_deadlines"] { actionDeadlinesMS = Self.deadlines(table) }
        if let timeout = params["ring_timeout_ms"] { ringTimeoutMS = timeout.integer.map(Int.init) }
        if let grace = params["grace_ms"] { graceMS = grace.integer.map(Int.init) }
        Self.set(&resumesWhenFreed, to: params["resume_when_freed"]?.boolean)
        Self.set(&takesTransactions, to: params["takes_transactions"]?.boolean)
        Self.set(&lines, to: params["lines"]?.elements.map { Line(checked: $0) })
        Self.set(&appIsSeparate, to: params["app_process"]?.utf8?.reads("separate"))
        Self.set(&kind, to: params["kind"]?.string.flatMap(ProviderKind.init(rawValue:)))
        Self.set(&pushTypes, to: params["push_types"]?.elements.compactMap(\.string))
        if let name = params["start_by"] { startBy = StartBy(checked: name) }
    }

    private static func set<Value>(_ property: inout Value, to value: Value?) {
        if let value { property = value }
    }

    /// Reads deadlines; unknown kinds are skipped.
    private static func deadlines(_ table: JSONValue) -> [ActionKind: Int] {
        var deadlines: [ActionKind: Int] = [:]
        table.forEachMember { name, milliseconds in
            guard let kind = ActionKind(utf8: name), let number = milliseconds.integer else {
                return
            }
            deadlines[kind] = Int(number)
        }
        return deadlines
    }
}

extension JSONWriter {
    /// Writes the configuration, defaults included.
    package mutating func members(of provider: ProviderConfiguration) {
        member("display_name", provider.displayName)
        name("handle_types")
        array { writer in for kind in provider.handleKinds { writer.value(kind) } }
        member("url_schemes", words: provider.urlSchemes)
        member("supports_video", provider.supportsVideo)
        if provider.supportsText { member("supports_text", true) }
        member("max_call_groups", provider.maxCallGroups)
        member("max_calls_per_group", provider.maxCallsPerGroup)
        member("includes_in_recents", provider.includesInRecents)
        member("ringtone", ifSet: provider.ringtone)
        member("icon", ifSet: provider.icon)
        member("action_deadlines", provider.actionDeadlinesMS)
        member("ring_timeout_ms", ifSet: provider.ringTimeoutMS)
        member("grace_ms", ifSet: provider.graceMS)
        member("resume_when_freed", provider.resumesWhenFreed)
        member("takes_transactions", provider.takesTransactions)
        let process: StaticString = provider.appIsSeparate ? "separate" : "self"
        member("app_process", process)
        member("kind", provider.kind.rawValue)
        if !provider.lines.isEmpty { member("lines", lines: provider.lines) }
        if !provider.pushTypes.isEmpty { member("push_types", words: provider.pushTypes) }
        member("start_by", ifSet: provider.startBy)
    }

    /// Writes milliseconds by kind, in the order of the kinds.
    package mutating func member(_ name: StaticString, _ deadlines: [ActionKind: Int]) {
        self.name(name)
        object { writer in
            for kind in ActionKind.allCases { writer.member(kind.name, ifSet: deadlines[kind]) }
        }
    }
}
