import CallKit
import Combine
import Foundation

@MainActor
final class RTCPeerModel: ObservableObject {
    enum Status: Equatable { case idle, calling(UUID), connected(UUID) }

    @Published var status = Status.idle
    @Published var isMuted = false
    @Published var error: String?
    private let controller = CXCallController()
    private var bag = Set<AnyCancellable>()

    init() {
        $isMuted
            .dropFirst()
            .removeDuplicates()
            .debounce(for: 0.05, scheduler: DispatchQueue.main)
            .sink { [weak self] muted in
                MainActor.assumeIsolated { self?.mute(muted) }
            }
            .store(in: &bag)
    }

    func call(_ name: String) async {
        let uuid = UUID()
        let start = CXStartCallAction(call: uuid, handle: CXHandle(type: .generic, value: name))
        do {
            try await controller.request(CXTransaction(action: start))
            status = .calling(uuid)
        } catch let error as CXErrorCodeRequestTransactionError {
            self.error = "code \(error.code.rawValue)"
        } catch {
            self.error = error.localizedDescription
        }
    }

    private func mute(_ muted: Bool) {
        guard case .connected(let uuid) = status else { return }
        controller.request(
            CXTransaction(action: CXSetMutedCallAction(call: uuid, muted: muted))
        ) { _ in }
    }
}
