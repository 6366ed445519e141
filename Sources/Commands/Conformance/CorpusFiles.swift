import OcellusEngine
import OcellusModelFile
import OcellusPlatform

/// Where the files of a conformance corpus are: in the file system, or in an archive, which is read
/// without being unpacked.
enum CorpusFiles: Sendable {
  case fileSystem
  /// The files of an archive have paths that begin with the archive's own.
  case archive(TarArchive, path: String)

  /// The bytes of a file.
  func bytes(of path: String) throws -> [UInt8] {
    switch self {
    case .fileSystem: try FileSystem.read(path)
    case .archive(let archive, let root): try Self.bytes(of: path, in: archive, at: root)
    }
  }

  /// A model, mapped where it is a file of its own.
  ///
  /// - Throws: `ModelError` when the engine refuses the model, another error when there is none.
  func model(at path: String) throws -> Model {
    switch self {
    case .fileSystem: try Model(path: path)
    case .archive: try Model(bytes: try bytes(of: path))
    }
  }

  private static func bytes(
    of path: String, in archive: TarArchive, at root: String
  ) throws -> [UInt8] {
    let name = path.dropFirst(root.count + 1)
    guard let plain = plainPath(name), let contents = archive.contents(of: plain) else {
      throw ConformanceCaseError(path: path, problem: "this file is not in the archive")
    }
    return contents
  }

  /// The path without `.` and `..`; nil when it leads out of the archive.
  private static func plainPath(_ path: Substring) -> String? {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(part)
      } else if parts.popLast() == nil {
        return nil
      }
    }
    return parts.joined(separator: "/")
  }
}
