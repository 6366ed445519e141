import OcellusImaging
import OcellusPlatform

/// The destinations of pictures made from pictures: one file, or a directory with a file for each.
struct PictureTargets {
  /// The destination for each picture.
  private let files: [String: String]
  private let isFolder: Bool

  /// Claims destinations for these pictures at the target that an option names.
  ///
  /// In a directory, files are named like the pictures, without folders and extensions unless
  /// pictures could not be told apart without them.
  init(
    _ target: String, of option: String, for pictures: [String], _ claims: inout OutputClaims
  ) throws(UsageError) {
    let isFolder = target.hasSuffix("/") || FileSystem.isDirectory(target)
    guard pictures.count != 1 || isFolder else {
      if target != "-" {
        do throws(ImageError) { _ = try ImageEncoding(fileName: target) } catch {
          throw UsageError("\(option): \(error)")
        }
      }
      try claims.claim(target, for: option)
      files = [pictures[0]: target]
      self.isFolder = false
      return
    }
    try OutputClaims.requireFolder(
      target, for: option, hint: "for \(pictures.count) pictures, name a folder")
    let folder = target.hasSuffix("/") ? String(target.dropLast()) : target
    var files: [String: String] = [:]
    for (picture, name) in zip(pictures, Self.distinctNames(of: pictures)) {
      let file = "\(folder)/\(name).png"
      try claims.claim(file, for: "\(option) of \(picture)")
      files[picture] = file
    }
    self.files = files
    self.isFolder = true
  }

  /// Returns the file for a picture, after creating its directory.
  func file(for picture: String) throws(FileError) -> String? {
    guard let file = files[picture] else { return nil }
    if isFolder { try FileSystem.createDirectory(file.parentPath) }
    return file
  }

  /// Returns a distinct name for each picture: the end of its path, as short as it may be.
  private static func distinctNames(of paths: [String]) -> [String] {
    let parts = paths.map { path in
      path == "-" ? ["standard-input"] : FileSystem.absoluteComponents(of: path)
    }
    let stems = parts.map { Array($0.dropLast()) + [stem($0.last ?? "")] }
    let longest = parts.map(\.count).max() ?? 0
    for depth in 1...max(longest, 1) {
      for candidates in [stems, parts] {
        let names = candidates.map { $0.suffix(depth).joined(separator: "/") }
        if Set(names).count == names.count { return names }
      }
    }
    // Only a picture that is given twice has no name of its own, which its claim will tell.
    return parts.map { $0.last ?? "" }
  }

  /// Returns a file's name without its extension.
  private static func stem(_ name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}
