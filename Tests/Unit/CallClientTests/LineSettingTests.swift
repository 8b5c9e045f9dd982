import CallClient
import CallModel
import Testing

/// An app with a line, whose network forwards calls to Ann only.
private final class Modem: CallProviderDelegate {
    static let off = LineSetting(.forwardBusy, isOn: false)
    let diary = Diary()

    static func configuration(_ settings: LineSetting...) -> ProviderConfiguration {
        var configuration = ProviderConfiguration.phone
        var line = Line(id: "sim", label: "Testnet")
        line.settings = settings
        configuration.lines = [line]
        return configuration
    }

    func provider(
        _ provider: CallProvider, change setting: LineSetting, of line: String
    ) async throws {
        diary.note("\(line): \(setting.kind.rawValue) \(setting.isOn)")
        guard setting.to == .ann else { throw ActionFailure.refused(reason: "barred") }
        try await provider.update(Self.configuration(setting))
    }
}

/// An app that has settings and cannot change them.
private final class Stubborn: CallProviderDelegate {}

/// What the network keeps for a line, from the user to the app and back.
struct LineSettingTests {
    private let host: Host

    init() throws {
        host = try Host()
    }

    private func register(_ app: any CallProviderDelegate) async throws -> CallProvider {
        try await CallProvider(
            identity: "org.example.a", Modem.configuration(Modem.off), delegate: app, host.options)
    }

    private func forward(to address: Handle) async throws {
        let user = try await CallController(host.options)
        try await user.change(
            LineSetting(.forwardBusy, isOn: true, to: address), of: "sim",
            at: ProviderID("org.example.a"))
    }

    @Test func `the app changes a setting, and reports it before the user's request is done`()
        async throws
    {
        let app = Modem()
        let provider = try await register(app)
        try await forward(to: .ann)
        #expect(app.diary.lines == ["sim: forward_busy true"])
        provider.close()
    }

    @Test func `the network's reason for a refusal is the user's error`() async throws {
        let app = Modem()
        let provider = try await register(app)
        await #expect {
            try await forward(to: .bob)
        } throws: { error in
            (error as? CallError)?.code == .providerFailed
        }
        provider.close()
    }

    @Test func `an app that implements nothing cannot change a setting`() async throws {
        let app = Stubborn()
        let provider = try await register(app)
        await #expect(throws: CallError.self) { try await forward(to: .ann) }
        provider.close()
    }
}
