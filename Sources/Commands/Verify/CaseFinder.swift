import OcellusJSON
import OcellusModelFile
import OcellusPlatform

/// Finds the cases of conformance corpora.
struct CaseFinder {
  /// A case that was found, not yet read.
  struct Entry {
    let path: String
    let files: CorpusFiles
    /// The directory that holds it: the operator, or the model of a golden result.
    let group: String
    /// How messages call it.
    let label: String
  }

  /// Only directories of these names; all when empty.
  let groups: Set<String>

  /// The cases at or below the paths, in the order of their names.
  func cases(in paths: [String]) throws -> [Entry] {
    var entries: [Entry] = []
    for path in paths {
      if FileSystem.isDirectory(path) {
        try collect(path, into: &entries)
      } else if path.hasSuffix(".json") {
        append(path, in: .fileSystem, to: &entries)
      } else {
        guard FileSystem.exists(path) else { throw FileError(.system(ENOENT), path: path) }
        try collectArchive(path, into: &entries)
      }
    }
    return entries
  }

  private func collect(_ path: String, into entries: inout [Entry]) throws(FileError) {
    let names = try FileSystem.entries(of: path)
    let cases = Self.descriptions(in: names)
    for name in names {
      let inner = "\(path)/\(name)"
      if cases.contains(name) {
        append(inner, in: .fileSystem, to: &entries)
      } else if FileSystem.isDirectory(inner) {
        try collect(inner, into: &entries)
      }
    }
  }

  private func collectArchive(
    _ path: String, into entries: inout [Entry]
  ) throws(ModelFileError) {
    let archive = try TarArchive(path: path)
    let cases = Self.descriptions(in: archive.names)
    for name in archive.names where cases.contains(name) {
      append("\(path)/\(name)", in: .archive(archive, path: path), to: &entries)
    }
  }

  /// Those names that are of cases: a description without values beside it is some other file.
  private static func descriptions(in names: [String]) -> Set<String> {
    let values = Set(names.filter { $0.hasSuffix(".bin") }.map { $0.dropLast(".bin".count) })
    return Set(
      names.filter { $0.hasSuffix(".json") && values.contains($0.dropLast(".json".count)) })
  }

  private func append(_ path: String, in files: CorpusFiles, to entries: inout [Entry]) {
    let group = path.parentPath.lastPathComponent
    guard groups.isEmpty || groups.contains(group) else { return }
    let name = path.lastPathComponent.dropLast(".json".count)
    entries.append(Entry(path: path, files: files, group: group, label: "\(group)/\(name)"))
  }
}
