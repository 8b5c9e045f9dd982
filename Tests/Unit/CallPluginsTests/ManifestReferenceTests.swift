import BrokerJSON
import CallPlugins
import CallProtocol
import Testing

struct ManifestReferenceTests {
    @Test(arguments: ManifestSubject.all.map(\.title))
    func `the broker reads each example`(_ title: String) throws {
        let subject = try #require(ManifestSubject.all.first { $0.title == title })
        let manifest = try PluginManifest.read(
            Array(subject.example.utf8), file: "/plugins/\(subject.fileName)")
        #expect(manifest != nil)
        let document = try JSONDocument(parsing: Array(subject.example.utf8))
        if let member = subject.member { #expect(document.root[named: member] != nil) }
    }

    @Test func `each role with a member of its own has an example`() {
        let members = Set(ManifestSchemas.members.map { "\($0.name)" })
        let configured = Role.allCases.map(\.rawValue).filter(members.contains)
        #expect(Set(configured).isSubset(of: ManifestSubject.all.compactMap(\.member)))
        #expect(configured.count == 4)
    }

    @Test func `each type of option is in an example`() throws {
        let subject = try #require(ManifestSubject.all.first { $0.member == "options" })
        let manifest = try PluginManifest.read(
            Array(subject.example.utf8), file: subject.fileName)
        #expect(Set(manifest?.options.map(\.kind) ?? []) == Set(PluginOption.Kind.allCases))
    }
}
