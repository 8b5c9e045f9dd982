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
            let values = try connection.rows(
                "SELECT DISTINCT value FROM \(table) WHERE kind = 'phone'"
            ) { $0.text(0) }
            for value in values {
                let key = HandleKey(Handle(kind: .phone, value: value), region: region).text
                try connection.run(
                    "UPDATE \(table) SET key = ? WHERE kind = 'phone' AND value = ?",
                    [.text(key), .text(value)])
            }
        }
        try renewBlockKeys(in: connection, region: region)
    }
}
