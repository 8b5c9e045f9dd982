package import BrokerJSON

/// A request about the caller directories that the broker stores.
package enum DirectoryRequest {
    case putEntries(PutEntriesParams)
    case changeEntries(ChangeEntriesParams)
    case clear(ClearDirectoryParams)
    case list
    case enable(EnableDirectoryParams)
}

/// The params of `directory.put_entries`.
package struct PutEntriesParams: MethodParams {
    /// The directory; nil for the plugin's own.
    package let source: String?
    package let generation: Int64
    /// True for the last part of a load.
    package let isFinal: Bool
    /// An array whose elements `DirectoryEntryParams` decodes.
    package let entries: JSONValue

    package init(checked params: JSONValue?) throws(SchemaFault) {
        source = params?["source"]?.string
        generation = try params.required("generation") { $0?.integer }
        isFinal = params?["final"]?.boolean ?? false
        entries = try params.required("entries") { $0 }
    }
}

/// An entry of a caller directory.
package struct DirectoryEntryParams {
    package let number: Int64
    package let label: String?
    package let isBlocked: Bool

    package init(checked element: JSONValue) {
        number = element["number"]?.integer ?? 0
        label = element["label"]?.string
        isBlocked = element["blocked"]?.boolean ?? false
    }
}

/// The params of `directory.change_entries`.
package struct ChangeEntriesParams: MethodParams {
    /// The directory; nil for the plugin's own.
    package let source: String?
    /// An array whose elements `DirectoryEntryParams` decodes.
    package let added: JSONValue?
    /// Arrays of numbers.
    package let removedLabels: JSONValue?
    package let removedBlocks: JSONValue?
    package let removesAllLabels: Bool
    package let removesAllBlocks: Bool

    package init(checked params: JSONValue?) {
        source = params?["source"]?.string
        added = params?["add"]
        removedLabels = params?["remove_labels"]
        removedBlocks = params?["remove_blocks"]
        removesAllLabels = params?["remove_all_labels"]?.boolean ?? false
        removesAllBlocks = params?["remove_all_blocks"]?.boolean ?? false
    }
}

/// The params of `directory.clear`.
package struct ClearDirectoryParams: MethodParams {
    /// The directory; nil for the plugin's own.
    package let source: String?

    package init(checked params: JSONValue?) {
        source = params?["source"]?.string
    }
}

/// The params of `directory.enable`.
package struct EnableDirectoryParams: MethodParams {
    package let source: String
    package let isEnabled: Bool

    package init(checked params: JSONValue?) throws(SchemaFault) {
        source = try params.required("source") { $0?.string }
        isEnabled = try params.required("enabled") { $0?.boolean }
    }
}
