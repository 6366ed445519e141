import OcellusJSON
import OcellusPlatform

/// Finds the cases of conformance corpora.
struct CaseFinder {
  /// A case that was found, not yet read.
  struct Entry {
    let path: String
    /// The directory that holds it: the operator, or the model of a golden result.
    let group: String
    /// How messages call it.
    let label: String
  }

  /// Only directories of these names; all when empty.
  let groups: Set<String>

  /// The cases at or below the paths, in the order of their names.
  func cases(in paths: [String]) throws(FileError) -> [Entry] {
    var entries: [Entry] = []
    for path in paths { try collect(path, into: &entries) }
    return entries
  }

  private func collect(_ path: String, into entries: inout [Entry]) throws(FileError) {
    guard FileSystem.isDirectory(path) else {
      guard path.hasSuffix(".json") else {
        throw FileError(path: path, code: FileSystem.exists(path) ? ENOTDIR : ENOENT)
      }
      append(path, to: &entries)
      return
    }
    let names = try FileSystem.entries(of: path)
    // A description without values beside it is some other file.
    let values = Set(names.filter { $0.hasSuffix(".bin") }.map { $0.dropLast(4) })
    for name in names {
      let inner = "\(path)/\(name)"
      if name.hasSuffix(".json"), values.contains(name.dropLast(5)) {
        append(inner, to: &entries)
      } else if FileSystem.isDirectory(inner) {
        try collect(inner, into: &entries)
      }
    }
  }

  private func append(_ path: String, to entries: inout [Entry]) {
    let group = path.parentPath.lastPathComponent
    guard groups.isEmpty || groups.contains(group) else { return }
    let name = path.lastPathComponent.dropLast(".json".count)
    entries.append(Entry(path: path, group: group, label: "\(group)/\(name)"))
  }
}
