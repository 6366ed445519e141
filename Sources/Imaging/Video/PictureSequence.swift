import OcellusPlatform

/// A sequence of picture files: those in a directory, or those with numbered names.
package struct PictureSequence: FrameSource {
  private let paths: [String]
  private let options: ImageDecodingOptions
  private var next = 0

  let frameRate: FrameRate? = nil

  /// Opens the pictures in a directory, or those of a pattern with `%d` or `%04d` for a number.
  init(_ path: String, options: ImageDecodingOptions) throws(ImageError) {
    self.options = options
    paths =
      try FileSystem.isDirectory(path)
      ? Self.pictures(in: path) : NumberedNames(pattern: path).existingPaths()
    guard !paths.isEmpty else {
      throw ImageError(.unreadable, "there are no pictures here", path: path)
    }
  }

  mutating func nextImage() throws(ImageError) -> Image? {
    guard next < paths.count else { return nil }
    defer { next += 1 }
    return try Image(contentsOf: paths[next], options: options)
  }

  /// Opens a single picture.
  init(file path: String, options: ImageDecodingOptions) {
    paths = [path]
    self.options = options
  }

  /// Returns the paths of the pictures in a directory, in natural order of their names.
  package static func pictures(in folder: String) throws(ImageError) -> [String] {
    let suffixes: Set = ["png", "jpg", "jpeg", "ppm", "pgm", "pnm", "pam", "bmp", "npy"]
    return try names(in: folder)
      .filter { $0.first != "." && suffixes.contains($0.suffixAfterDot.lowercased()) }
      .sorted { $0.isBeforeInNaturalOrder($1) }
      .map { "\(folder)/\($0)" }
  }
}

extension PictureSequence {
  fileprivate static func names(in folder: String) throws(ImageError) -> [String] {
    try ImageError.translating { () throws(FileError) in try FileSystem.entries(of: folder) }
  }
}

/// The names of a numbered sequence of files.
private struct NumberedNames {
  private let folder: String
  private let prefix: String
  private let suffix: String
  /// The minimum number of digits.
  private let digits: Int

  init(pattern: String) throws(ImageError) {
    folder = pattern.parentPath
    let name = pattern.lastPathComponent
    // The pattern must have exactly one percent sign.
    let parts = name.split(separator: "%", omittingEmptySubsequences: false)
    guard parts.count == 2, let letter = parts[1].firstIndex(of: "d"),
      let digits = Self.digits(parts[1][..<letter])
    else {
      throw ImageError(
        .unsupported, "a pattern has one %d or %04d, in the name of the file", path: pattern)
    }
    self.digits = digits
    prefix = String(parts[0])
    suffix = String(parts[1][parts[1].index(after: letter)...])
  }

  /// Parses the width between the percent sign and the letter of `%d` or `%04d`.
  private static func digits(_ width: Substring) -> Int? {
    if width.isEmpty { return 1 }
    return width.first == "0" && width.count == 2 ? Int(width) : nil
  }

  /// Returns the existing files, in numerical order.
  func existingPaths() throws(ImageError) -> [String] {
    try PictureSequence.names(in: folder)
      .filter(hasNumber)
      .sorted { $0.isBeforeInNaturalOrder($1) }
      .map { "\(folder)/\($0)" }
  }

  private func hasNumber(_ name: String) -> Bool {
    guard name.count > prefix.count + suffix.count, name.hasPrefix(prefix), name.hasSuffix(suffix)
    else { return false }
    let number = name.dropFirst(prefix.count).dropLast(suffix.count)
    // A number may have more digits than the minimum only without leading zeros.
    guard number.count == digits || (number.count > digits && number.first != "0"),
      number.allSatisfy({ $0.isASCII && $0.isNumber })
    else { return false }
    return true
  }
}

extension String {
  /// The part after the last dot, or the empty string.
  var suffixAfterDot: Substring {
    lastIndex(of: ".").map { self[index(after: $0)...] } ?? ""
  }

  /// Whether this name precedes `other` in natural order: `a9` before `a10`.
  func isBeforeInNaturalOrder(_ other: String) -> Bool {
    var (left, right) = (self[...], other[...])
    while let a = left.first, let b = right.first {
      let (leftDigits, rightDigits) = (left.leadingDigits, right.leadingDigits)
      if !leftDigits.isEmpty, !rightDigits.isEmpty {
        let (x, y) = (leftDigits.drop { $0 == "0" }, rightDigits.drop { $0 == "0" })
        if x.count != y.count { return x.count < y.count }
        if x != y { return x < y }
        left = left.dropFirst(leftDigits.count)
        right = right.dropFirst(rightDigits.count)
      } else {
        if a != b { return a < b }
        left.removeFirst()
        right.removeFirst()
      }
    }
    // Names that differ only in leading zeros get an arbitrary but stable order.
    return left.isEmpty && right.isEmpty ? self < other : left.isEmpty
  }
}

extension Substring {
  fileprivate var leadingDigits: Substring { prefix { $0.isASCII && $0.isNumber } }
}
