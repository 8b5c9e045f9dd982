package import BrokerJSON

/// A request about plugins.
package enum PluginRequest {
    case list(ListPluginsParams)
    case start(NamedPlugin)
    case stop(NamedPlugin)
    case restart(NamedPlugin)
    case enable(NamedPlugin)
    case disable(NamedPlugin)
    case rescan
    case logs(PluginLogsParams)
    case doctor(PluginDoctorParams)
    case setOption(SetPluginOptionParams)
}

/// The params of a method that needs the identity of a plugin only.
package struct NamedPlugin: MethodParams {
    package let plugin: String

    package init(checked params: JSONValue?) throws(SchemaFault) {
        plugin = try params.required("plugin") { $0?.string }
    }
}

/// The params of `plugin.list`.
package struct ListPluginsParams: MethodParams {
    /// Nil for all plugins.
    package let plugin: String?
    package let page: PageParams

    package init(checked params: JSONValue?) {
        plugin = params?["plugin"]?.string
        page = PageParams(checked: params)
    }
}

/// The params of `plugin.logs`.
package struct PluginLogsParams: MethodParams {
    package let plugin: String
    /// The number of the line to continue after; nil for the latest lines.
    package let after: Int?
    package let limit: Int?

    package init(checked params: JSONValue?) throws(SchemaFault) {
        plugin = try params.required("plugin") { $0?.string }
        after = params?["after"]?.int
        limit = params?["limit"]?.int
    }
}

/// The params of `plugin.doctor`.
package struct PluginDoctorParams: MethodParams {
    /// Nil for all plugins.
    package let plugin: String?

    package init(checked params: JSONValue?) {
        plugin = params?["plugin"]?.string
    }
}

/// The params of `plugin.set_option`.
package struct SetPluginOptionParams: MethodParams {
    package let plugin: String
    package let option: String
    /// A value of the option's type; null for the default.
    package let value: JSONValue

    package init(checked params: JSONValue?) throws(SchemaFault) {
        plugin = try params.required("plugin") { $0?.string }
        option = try params.required("option") { $0?.string }
        value = try params.required("value") { $0 }
    }
}
