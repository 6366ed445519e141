import OcellusImaging
import OcellusPlatform

/// The pictures that operands of a command line stand for.
enum PictureFiles {
  /// The files: those named, those of named folders, and those that patterns match.
  ///
  /// - Throws: when a folder or a pattern stands for nothing, or standard input is named twice.
  static func named(by operands: [String]) throws -> [String] {
    var files: [String] = []
    for operand in operands {
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
      } else {
        files.append(operand)
      }
    }
    guard files.filter({ $0 == "-" }).count < 2 else {
      throw UsageError("standard input ('-') is one picture, and can be named once")
    }
    return files
  }
}
