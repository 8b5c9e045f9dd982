import CallProtocol
import Testing

struct RoleTests {
    @Test func `the roles are those of the protocol`() {
        #expect(
            Role.allCases.map(\.rawValue) == [
                "provider", "controller", "observer", "screener", "directory", "ui", "audio",
                "admin",
            ])
    }

    @Test func `plugins and presenters must say who they are`() {
        #expect(Role.allCases.filter(\.needsIdentity) == [.provider, .screener, .directory, .ui])
    }

    @Test func `every role has a bit of its own`() {
        let bits = Role.allCases.map { RoleSet($0).rawValue }
        #expect(Set(bits).count == Role.allCases.count)
        #expect(bits.allSatisfy { $0.nonzeroBitCount == 1 })
    }

    @Test func `a set lists its roles in the order of their declaration`() {
        #expect(RoleSet([]).roles == [])
        #expect(RoleSet([RoleSet(.admin), RoleSet(.provider)]).roles == [.provider, .admin])
        #expect(RoleSet(rawValue: 255).roles == Role.allCases)
        for role in Role.allCases { #expect(RoleSet(role).roles == [role]) }
    }
}
