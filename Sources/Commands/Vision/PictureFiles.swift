import OcellusImaging
import OcellusPlatform

/// The pictures that the operands of a command line name.
enum PictureFiles {
  /// Returns the files that are named, in named directories, or matched by patterns.
  ///
  /// - Throws: an error if a directory or a pattern yields nothing, or if standard input is named
  ///   twice.
  static func named(by operands: [String]) throws -> [String] {
    var files: [String] = []
    for operand in operands {
      // It would be reported as a bad picture among the answers of another model.
      if operand.hasSuffix(".tflite") {
        throw UsageError("'\(operand)' is a model, not a picture: write '-m \(operand)'")
      }
      if FileSystem.isDirectory(operand) {
        let pictures = try PictureSequence.pictures(in: operand)
        guard !pictures.isEmpty else {
          throw ImageError(.unreadable, "there are no pictures in this folder", path: operand)
        }
        files += pictures
      } else if operand.contains(where: { "*?[".contains($0) }), !FileSystem.exists(operand) {
        let matches = FileSystem.matches(of: operand)
        guard !matches.isEmpty else {
          throw ImageError(.unreadable, "no file matches this pattern", path: operand)
        }
        files += matches
      } else if operand.hasSuffix(".txt") {
        files += try lines(of: operand)
      } else {
        files.append(operand)
      }
    }
    guard files.filter({ $0 == "-" }).count < 2 else {
      throw UsageError("standard input ('-') is one picture, and can be named once")
    }
    return files
  }

  /// Returns the paths in a list with one path per line.
  private static func lines(of path: String) throws(FileError) -> [String] {
    let lines = try FileSystem.read(path, limit: 1 << 32).split(separator: UInt8(ascii: "\n"))
    return lines.map { String(fileNameBytes: $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0) }
  }
}
