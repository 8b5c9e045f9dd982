@_exported public import Foundation

/// A picture in a PNG file, for `CXProviderConfiguration.iconTemplateImageData`. It is not decoded:
/// its bytes are what `pngData` returns. Nothing else is a picture here.
open class UIImage: NSObject, @unchecked Sendable {
    // It does not change.
    private let bytes: Data

    /// What every PNG file begins with.
    private static let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    /// Nil for what is no PNG file.
    public init?(data: Data) {
        guard data.starts(with: Self.signature) else { return nil }
        bytes = data
    }

    /// Nil if there is no such file, or it is no PNG file.
    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(data: data)
    }

    /// A resource `NAME.png` of the program. Nil if there is none.
    public convenience init?(named name: String) {
        guard let path = Bundle.main.path(forResource: name, ofType: "png") else { return nil }
        self.init(contentsOfFile: path)
    }

    /// The PNG file.
    open func pngData() -> Data? {
        bytes
    }
}
