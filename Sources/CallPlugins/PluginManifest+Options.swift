internal import BrokerJSON

/// The options of a plugin as its process finds them in its environment.
extension PluginManifest {
    /// What one variable may have: the kernel takes 128 KiB.
    private static let environmentBytesMax = 65_536

    /// The text of `BROKER_OPTIONS`, a JSON object. Nil if nothing is set, or too much: the hello has it all.
    /// Who inherits an environment can read it, so no secret is in it.
    ///
    /// - Parameter value: what an option is set to.
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
