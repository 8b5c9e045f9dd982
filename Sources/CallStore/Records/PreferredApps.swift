package import CallModel

/// The apps that contacts are to be called with. Few have one, so that they are kept where calls are
/// started: a start does not wait for the store.
package struct PreferredApps: Sendable {
    /// What one contact is to be called with.
    private struct Choice {
        let contact: String
        let sort: String
        let provider: ProviderID
    }

    private let region: String?
    /// By address; of several contacts with one address the first by name counts.
    private var choices: [HandleKey: [Choice]] = [:]
    private var keys: [String: Set<HandleKey>] = [:]

    /// - Parameter region: As `CallStore.region`.
    package init(region: String? = nil) {
        self.region = region
    }

    /// The one to call somebody with; nil if the user has said nothing of them.
    package subscript(handle: Handle) -> ProviderID? {
        guard !choices.isEmpty else { return nil }
        return choices[HandleKey(handle, region: region)]?.first?.provider
    }

    /// A contact is new, or another than it was.
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

    package mutating func remove(_ contact: String) {
        for key in keys.removeValue(forKey: contact) ?? [] {
            choices[key]?.removeAll { $0.contact == contact }
            if choices[key]?.isEmpty ?? false { choices[key] = nil }
        }
    }
}

extension CallStore {
    package func preferredApps() throws(StoreError) -> PreferredApps {
        var apps = PreferredApps(region: try region)
        for contact in try contactsWithApp() { apps.put(contact) }
        return apps
    }
}
