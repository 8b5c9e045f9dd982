// On Apple's platforms the audio part of AVFoundation, which apps may import by itself.
@_exported public import AVFoundation
