import OcellusImaging
import OcellusPlatform

extension CommandContext {
  /// Writes a file, of which `-` is standard output.
  func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    if path == "-" { try output.write(bytes) } else { try FileSystem.write(bytes, to: path) }
  }

  /// Writes a picture in the format that the file's name asks for; PNG to standard output.
  ///
  /// PNG is written fast: a picture to look at should not take longer than what was found in it.
  func write(_ image: Image, to path: String) throws {
    var encoding = path == "-" ? .png() : try ImageEncoding(fileName: path)
    if case .png = encoding { encoding = .png(compressionLevel: 1) }
    try write(try image.encoded(as: encoding), to: path)
  }
}

/// A text file that is not what it should be, and the line where it stops being so.
struct FileLineError: Error, Equatable, CustomStringConvertible {
  let path: String
  let line: Int
  let problem: String

  var description: String { "\(path), line \(line): \(problem)" }
}
