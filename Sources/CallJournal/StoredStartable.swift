package import CallArbitration
package import CallModel

/// An app that a call can start, as it has registered.
package struct StoredStartable: Equatable, Sendable {
    package var provider: ProviderID
    package var configuration: ProviderConfiguration

    package init(_ provider: ProviderID, _ configuration: ProviderConfiguration) {
        self.provider = provider
        self.configuration = configuration
    }
}

extension StoredStartable: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(provider, configuration)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(try reader.read(), try reader.read())
    }
}
