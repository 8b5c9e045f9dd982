package import CallModel

/// Whether a provider may have calls; one of which nothing is kept is not determined.
package enum Authorization: String, CaseIterable, Sendable {
    case authorized, denied
}

package struct ProviderAuthorization: Hashable, Sendable {
    package var provider: ProviderID
    package var authorization: Authorization

    package init(_ provider: ProviderID, _ authorization: Authorization) {
        self.provider = provider
        self.authorization = authorization
    }
}
