import CallKit
import Combine
import Foundation

enum ChatResolveError: Error, Equatable { case notFound, offline }

/// Finds the account behind a handle.
struct ChatPeerResolver {
    let accounts: [String: Int64]

    func resolve(_ handle: CXHandle) -> Future<Int64, ChatResolveError> {
        Future { promise in
            if let id = accounts[handle.value] {
                promise(.success(id))
            } else {
                promise(.failure(.notFound))
            }
        }
    }

    func title(_ handle: CXHandle) -> AnyPublisher<String, Never> {
        resolve(handle)
            .map { "user \($0)" }
            .catch { _ in Just(handle.value) }
            .receive(on: DispatchQueue.main)
            .eraseToAnyPublisher()
    }

    func titles(_ handles: [CXHandle]) -> [AnyPublisher<String, ChatResolveError>] {
        handles.map { handle in
            resolve(handle).flatMap { id in
                Just("\(id)").setFailureType(to: ChatResolveError.self)
            }
        }
    }
}
