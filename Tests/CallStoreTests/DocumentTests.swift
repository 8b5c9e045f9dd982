import CallModel
import CallStore
import Testing

struct DocumentTests {
    let store = CallStore(.memory)

    @Test func `a permission is not determined, given, taken, and forgotten`() throws {
        let provider = ProviderID("org.a")
        #expect(try store.authorization(of: provider) == nil)
        try store.setAuthorization(.authorized, for: provider)
        try store.setAuthorization(.denied, for: provider)
        #expect(try store.authorization(of: provider) == .denied)
        try store.setAuthorization(nil, for: provider)
        #expect(try store.authorization(of: provider) == nil)
    }

    @Test func `permissions are listed by name`() throws {
        try store.setAuthorization(.denied, for: ProviderID("org.b"))
        try store.setAuthorization(.authorized, for: ProviderID("org.a"))
        #expect(
            try store.authorizations() == [
                ProviderAuthorization(ProviderID("org.a"), .authorized),
                ProviderAuthorization(ProviderID("org.b"), .denied),
            ])
    }

    @Test func `a document is what was set last`() throws {
        #expect(try store.document("policy") == nil)
        try store.setDocument("{}", for: "policy")
        try store.setDocument(#"{"on":true,"a":"\u0000ö"}"#, for: "policy")
        #expect(try store.document("policy") == #"{"on":true,"a":"\u0000ö"}"#)
        try store.setDocument(nil, for: "policy")
        #expect(try store.document("policy") == nil)
    }
}
