package import CallModel

/// The preferred apps of contacts. Few contacts have one, so they are kept in memory, and starting
/// a call does not wait for the store.
package struct PreferredApps: Sendable {
    /// The preferred app of a contact.
    private struct Choice {
        let contact: String
        let sort: String
        let provider: ProviderID
    }

    private let region: String?
    /// The preferences by address, sorted by the contact's name; the first one counts.
    private var choices: [HandleKey: [Choice]] = [:]
    private var keys: [String: Set<HandleKey>] = [:]

    /// - Parameter region: The value of `CallStore.region`.
    package init(region: String? = nil) {
        self.region = region
    }

    /// Returns the preferred app for an address; nil if there is none.
    package subscript(handle: Handle) -> ProviderID? {
        guard !choices.isEmpty else { return nil }
        return choices[HandleKey(handle, region: region)]?.first?.provider
    }

    /// Adds or updates a contact.
    package mutating func put(_ contact: Contact) {
        remove(contact.id)
        guard let provider = contact.provider else { return }
        let choice = Choice(
            contact: contact.id, sort: contact.name.lowercased(), provider: provider)
        let own = Set(contact.handles.map { HandleKey($0, region: region) })
        keys[contact.id] = own
        for key in own {
            choices[key, default: []].append(choice)
            choices[key]?.sort { ($0.sort, $0.contact) < ($1.sort, $1.contact) }
        }
    }

    /// Removes a contact by its id.
    package mutating func remove(_ contact: String) {
        for key in keys.removeValue(forKey: contact) ?? [] {
            choices[key]?.removeAll { $0.contact == contact }
            if choices[key]?.isEmpty ?? false { choices[key] = nil }
        }
    }
}

extension CallStore {
    /// Returns the preferred apps of all contacts.
    package func preferredApps() throws(StoreError) -> PreferredApps {
        var apps = PreferredApps(region: try region)
        for contact in try contactsWithApp() { apps.put(contact) }
        return apps
    }
}
