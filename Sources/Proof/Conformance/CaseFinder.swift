import OcellusJSON
import OcellusModelFile
import OcellusPlatform

/// Finds the cases of conformance corpora.
package struct CaseFinder {
  /// A case that was found, but not read.
  package struct Entry {
    package let path: String
    package let files: CorpusFiles
    /// The directory that contains the case: the operator, or the model of a golden result.
    package let group: String
    /// The name for messages.
    package let label: String
  }

  /// The names of directories to search; an empty set means all.
  private let groups: Set<String>

  package init(groups: Set<String>) {
    self.groups = groups
  }

  /// Returns the cases at or below the paths, sorted by name.
  package func cases(in paths: [String]) throws -> [Entry] {
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

  /// Returns the names of cases: .json files with a .bin file beside them.
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
