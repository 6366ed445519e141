import OcellusImaging
import OcellusPlatform

/// The destinations of pictures made from pictures: one file, or a directory with a file for each.
struct PictureTargets {
  /// The destination for each picture.
  private let files: [String: String]
  private let isFolder: Bool

  /// Claims destinations for these pictures at the target that an option names.
  ///
  /// In a directory, files are named like the pictures with the part of their paths that is not
  /// common to all, so pictures of equal names in different directories stay apart.
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

  /// Returns the paths relative to the directory that contains all.
  private static func distinctNames(of paths: [String]) -> [String] {
    let parts = paths.map { path in
      path == "-" ? ["standard-input"] : FileSystem.absoluteComponents(of: path)
    }
    let folders = parts.filter { $0.count > 1 }.map { $0.dropLast() }
    let common = folders.dropFirst().reduce(folders.first ?? []) { common, folder in
      common.prefix(zip(common, folder).prefix { $0 == $1 }.count)
    }
    return parts.map { path in
      path.dropFirst(path.count > 1 ? common.count : 0).joined(separator: "/")
    }
  }
}
