// Apps expect these modules from an import of LiveCommunicationKit.
@_exported public import AVFoundation
@_exported public import Dispatch
@_exported public import Foundation
