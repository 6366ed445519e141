import OcellusImaging
import OcellusPlatform

extension CommandContext {
  /// Writes a file, or to standard output if the path is `-`.
  func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    if path == "-" { try output.write(bytes) } else { try FileSystem.write(bytes, to: path) }
  }

  /// Writes a picture in the format of the file's extension, or as PNG to standard output.
  ///
  /// PNG files use the fastest compression, so that writing does not take longer than the
  /// detection.
  func write(_ image: Image, to path: String) throws {
    var encoding = path == "-" ? .png() : try ImageEncoding(fileName: path)
    if case .png = encoding { encoding = .png(compressionLevel: 1) }
    try write(try image.encoded(as: encoding), to: path)
  }
}
