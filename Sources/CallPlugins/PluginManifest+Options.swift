internal import BrokerJSON

/// The options of a plugin in the environment of its process.
extension PluginManifest {
    /// The maximum size of the variable; the kernel allows 128 KiB.
    private static let environmentBytesMax = 65_536

    /// Returns the text of `BROKER_OPTIONS`, a JSON object; nil if no option is set, or it is too
    /// large: the reply to `broker.hello` has all options. Secrets are left out, as other processes
    /// may read an environment.
    ///
    /// - Parameter value: Returns the value of an option.
    package func environmentOptions(_ value: (PluginOption) -> PluginValue?) -> String? {
        let plain = options.filter { $0.kind != .secret && value($0) != nil }
        guard !plain.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.object { writer in
            for option in plain {
                guard let value = value(option) else { continue }
                writer.name(option.name)
                writer.value(value)
            }
        }
        return writer.bytes.count <= Self.environmentBytesMax ? writer.text : nil
    }
}
