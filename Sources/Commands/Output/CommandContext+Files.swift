import OcellusImaging
import OcellusPlatform

extension CommandContext {
  /// Writes a file, of which `-` is standard output.
  func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    if path == "-" { try output.write(bytes) } else { try FileSystem.write(bytes, to: path) }
  }

  /// Writes a picture in the format that the file's name asks for; PNG to standard output.
  func write(_ image: Image, to path: String) throws {
    let encoding = path == "-" ? .png() : try ImageEncoding(fileName: path)
    try write(try image.encoded(as: encoding), to: path)
  }
}
