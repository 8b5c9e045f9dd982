internal import CallModel

/// Where the user is, as far as phone numbers are concerned.
extension CallStore {
    /// The country whose form numbers without a country code have: two letters, as `DE`. Nil: only
    /// numbers with a country code are known to be the same.
    package var region: String? {
        get throws(StoreError) {
            if let knownRegion { return knownRegion }
            let region = try database().first(
                "SELECT text FROM document WHERE key = 'region'"
            ) { $0.text(0) }
            knownRegion = region
            return region
        }
    }

    /// Sets it, and finds again which contacts, blocks and entries of the history it makes the same.
    package func setRegion(_ region: String?) throws(StoreError) {
        guard region != (try self.region) else { return }
        if let region, !PhoneNumber.isKnown(region: region) {
            throw StoreError(
                .invalid, "the region has to be the two letters of a country, as DE or US")
        }
        try atomically { (connection) throws(StoreError) in
            try connection.run("DELETE FROM document WHERE key = 'region'")
            if let region {
                try connection.run("INSERT INTO document VALUES ('region', ?)", [.text(region)])
            }
            knownRegion = region
            try renewKeys(in: connection, region: region)
        }
    }

    private func renewKeys(in connection: Connection, region: String?) throws(StoreError) {
        for table in ["contact_handle", "history"] {
            let known = try connection.rows(
                "SELECT DISTINCT kind, value FROM \(table) WHERE kind != 'email'"
            ) { Handle(kind: Handle.Kind(name: $0.text(0)), value: $0.text(1)) }
            for handle in known {
                try connection.run(
                    "UPDATE \(table) SET key = ? WHERE kind = ? AND value = ?",
                    [
                        .text(HandleKey(handle, region: region).text), .text(handle.kind.name),
                        .text(handle.value),
                    ])
            }
        }
        try renewBlockKeys(in: connection, region: region)
    }

    /// What keys are made of has changed with the releases: a file has those of the release that wrote it.
    private static let keyForm = "2"

    /// Brings the keys of a file to the present form.
    func renewOldKeys() throws(StoreError) {
        let form = try database().first(
            "SELECT text FROM document WHERE key = 'key_form'"
        ) { $0.text(0) }
        guard form != Self.keyForm else { return }
        try atomically { (connection) throws(StoreError) in
            try renewKeys(in: connection, region: try region)
            try connection.run(
                "INSERT OR REPLACE INTO document VALUES ('key_form', ?)", [.text(Self.keyForm)])
        }
    }
}

extension HandleKey {
    /// For `kind IN (?, ?, ?)`.
    func fields(besides own: Handle.Kind) -> [Field] {
        kinds(besides: own).map { .text($0.name) }
    }
}
