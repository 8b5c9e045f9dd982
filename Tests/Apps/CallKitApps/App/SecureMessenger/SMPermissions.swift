import AVFoundation

enum SMPermissions {
    static func askForMicrophone(_ callback: @escaping @Sendable (Bool) -> Void) {
        switch AVAudioSession.sharedInstance().recordPermission {
        case .granted: callback(true)
        case .denied: callback(false)
        case .undetermined:
            AVAudioSession.sharedInstance().requestRecordPermission { granted in
                DispatchQueue.main.async { callback(granted) }
            }
        @unknown default: callback(false)
        }
    }

    static func askForCamera(_ callback: @escaping @Sendable (Bool) -> Void) {
        switch AVCaptureDevice.authorizationStatus(for: .video) {
        case .authorized: callback(true)
        case .notDetermined: AVCaptureDevice.requestAccess(for: .video, completionHandler: callback)
        case .denied, .restricted: callback(false)
        @unknown default: callback(false)
        }
    }

    static var microphone: Bool {
        get async {
            if AVAudioApplication.shared.recordPermission == .granted { return true }
            return await AVAudioApplication.requestRecordPermission()
        }
    }
}
