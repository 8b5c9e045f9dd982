// An app that imports CallKit gets these with it.
@_exported public import Dispatch
@_exported public import Foundation

/// The name that apps of the time of Objective-C have for a queue.
// swift-format-ignore: TypeNamesShouldBeCapitalized
public typealias dispatch_queue_t = DispatchQueue
