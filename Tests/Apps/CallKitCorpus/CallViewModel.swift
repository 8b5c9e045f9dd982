import AVFoundation
import CallKit
import Combine

/// A model for a screen in SwiftUI: what the screen shows is published, what the system asks comes
/// as a stream of events.
@MainActor public final class CallViewModel: ObservableObject {
    public struct Row: Identifiable, Equatable {
        public let id: UUID
        public let title: String
        public let subtitle: String
    }

    public enum Phase: Equatable {
        case ringing, connecting, connected(since: Date), held, ended
    }

    public struct ActiveCall: Identifiable {
        public let id: UUID
        public let handle: String
        public var phase: Phase
        public var isMuted = false
    }

    @Published public private(set) var calls: [ActiveCall] = []
    @Published public private(set) var rows: [Row] = []
    @Published public private(set) var title = "No calls"
    @Published public private(set) var canMute = false
    @Published public var isSpeakerOn = false
    @Published public private(set) var isAudioActive = false
    @Published public var alert: String?

    private let bridge: CallKitBridge
    private let controller = CXCallController()
    private var cancellables = Set<AnyCancellable>()

    public init(bridge: CallKitBridge = CallKitBridge()) {
        self.bridge = bridge
        bindEvents()
        bindRows()
    }

    private func bindEvents() {
        bridge.events
            .receive(on: DispatchQueue.main)
            .sink { [weak self] event in self?.handle(event) }
            .store(in: &cancellables)
    }

    private func bindRows() {
        $calls
            .map { calls in calls.map(Self.row) }
            .removeDuplicates()
            .assign(to: &$rows)

        $calls
            .map { calls -> String in
                switch calls.count {
                case 0: return "No calls"
                case 1: return calls[0].handle
                default: return "\(calls.count) calls"
                }
            }
            .assign(to: \.title, on: self)
            .store(in: &cancellables)

        $calls
            .combineLatest($isAudioActive)
            .map { calls, isActive in isActive && calls.contains { $0.phase != .held } }
            .removeDuplicates()
            .assign(to: &$canMute)

        Publishers.CombineLatest3($calls, $isSpeakerOn, $isAudioActive)
            .filter { calls, isOn, _ in isOn && calls.isEmpty }
            .sink { [unowned self] _ in isSpeakerOn = false }
            .store(in: &cancellables)
    }

    private static func row(_ call: ActiveCall) -> Row {
        let subtitle: String
        switch call.phase {
        case .ringing: subtitle = "is calling"
        case .connecting: subtitle = "calling…"
        case .connected: subtitle = call.isMuted ? "muted" : "connected"
        case .held: subtitle = "on hold"
        case .ended: subtitle = "ended"
        }
        return Row(id: call.id, title: call.handle, subtitle: subtitle)
    }

    // MARK: Intents of the user

    public func dial(_ number: String) async {
        let start = CXStartCallAction(
            call: UUID(), handle: CXHandle(type: .phoneNumber, value: number))
        await perform(start)
    }

    public func hangUp(_ id: UUID) async {
        await perform(CXEndCallAction(call: id))
    }

    public func toggleMute(_ id: UUID) async {
        guard let call = calls.first(where: { $0.id == id }) else { return }
        await perform(CXSetMutedCallAction(call: id, muted: !call.isMuted))
    }

    private func perform(_ action: CXCallAction) async {
        do {
            try await controller.requestTransaction(with: action)
        } catch let error as CXErrorCodeRequestTransactionError
            where error.code == .maximumCallGroupsReached
        {
            alert = "End a call first."
        } catch {
            alert = error.localizedDescription
        }
    }

    // MARK: What the system wants

    private func handle(_ event: CallKitBridge.Event) {
        switch event {
        case .reported(let id, let handle):
            calls.append(ActiveCall(id: id, handle: handle, phase: .ringing))
        case .start(let action):
            calls.append(
                ActiveCall(
                    id: action.callUUID, handle: action.handle.value, phase: .connecting))
            action.fulfill()
        case .answer(let action):
            update(action.callUUID) { $0.phase = .connected(since: Date()) }
            action.fulfill()
        case .hold(let action):
            update(action.callUUID) {
                $0.phase = action.isOnHold ? .held : .connected(since: Date())
            }
            action.fulfill()
        case .mute(let action):
            update(action.callUUID) { $0.isMuted = action.isMuted }
            action.fulfill()
        case .end(let action):
            calls.removeAll { $0.id == action.callUUID }
            action.fulfill()
        case .audio(let isActive): isAudioActive = isActive
        case .reset: calls.removeAll()
        }
    }

    private func update(_ id: UUID, _ change: (inout ActiveCall) -> Void) {
        guard let index = calls.firstIndex(where: { $0.id == id }) else { return }
        change(&calls[index])
    }
}

/// The provider's delegate as a publisher.
public final class CallKitBridge: NSObject {
    public enum Event {
        case reported(UUID, String)
        case start(CXStartCallAction)
        case answer(CXAnswerCallAction)
        case hold(CXSetHeldCallAction)
        case mute(CXSetMutedCallAction)
        case end(CXEndCallAction)
        case audio(Bool)
        case reset
    }

    public var events: AnyPublisher<Event, Never> { subject.eraseToAnyPublisher() }
    private let subject = PassthroughSubject<Event, Never>()
    private let provider: CXProvider

    public override init() {
        let configuration = CXProviderConfiguration()
        configuration.supportedHandleTypes = [.phoneNumber]
        configuration.includesCallsInRecents = true
        provider = CXProvider(configuration: configuration)
        super.init()
        provider.setDelegate(self, queue: .main)
    }

    public func report(_ id: UUID, from number: String, completion: ((Error?) -> Void)? = nil) {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .phoneNumber, value: number)
        provider.reportNewIncomingCall(with: id, update: update) { [weak self] error in
            if error == nil { self?.subject.send(.reported(id, number)) }
            completion?(error)
        }
    }

    public func invalidate() {
        provider.invalidate()
        subject.send(completion: .finished)
    }
}

extension CallKitBridge: CXProviderDelegate {
    public func providerDidReset(_ provider: CXProvider) { subject.send(.reset) }

    public func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        subject.send(.start(action))
    }

    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        subject.send(.answer(action))
    }

    public func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        subject.send(.hold(action))
    }

    public func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        subject.send(.mute(action))
    }

    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        subject.send(.end(action))
    }

    public func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        subject.send(.audio(true))
    }

    public func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        subject.send(.audio(false))
    }
}
