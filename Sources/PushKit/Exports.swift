// Apps expect these modules from an import of PushKit.
@_exported public import Dispatch
@_exported public import Foundation
