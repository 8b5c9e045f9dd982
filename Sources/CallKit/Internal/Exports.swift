// Apps expect these modules from an import of CallKit.
@_exported public import Dispatch
@_exported public import Foundation

// swift-format-ignore: TypeNamesShouldBeCapitalized
/// The name of a queue in Objective-C and in early Swift, which some apps still use.
public typealias dispatch_queue_t = DispatchQueue
