@_exported public import Foundation

/// A picture in PNG format, for `CXProviderConfiguration.iconTemplateImageData`. It is not decoded:
/// `pngData` returns the bytes it was made from. Other formats are not supported.
open class UIImage: NSObject, @unchecked Sendable {
    // Immutable.
    private let bytes: Data

    /// The first eight bytes of every PNG file (RFC 2083, section 3.1).
    private static let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    /// Makes a picture from the bytes of a PNG file. Only the signature is checked.
    ///
    /// - Returns: nil if the bytes do not start with the PNG signature.
    public init?(data: Data) {
        guard data.starts(with: Self.signature) else { return nil }
        bytes = data
    }

    /// Reads a PNG file.
    ///
    /// - Returns: nil if the file cannot be read or is not a PNG file.
    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(data: data)
    }

    /// Reads the resource `NAME.png` of the main bundle. There are no asset catalogs.
    ///
    /// - Returns: nil if there is no such resource or it is not a PNG file.
    public convenience init?(named name: String) {
        guard let path = Bundle.main.path(forResource: name, ofType: "png") else { return nil }
        self.init(contentsOfFile: path)
    }

    /// Returns the bytes of the PNG file, unchanged; never nil.
    open func pngData() -> Data? {
        bytes
    }
}
