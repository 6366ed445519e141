import OcellusEngine
package import OcellusModelFile
import OcellusPlatform

/// The files of a conformance corpus, in the file system or in an archive that is not unpacked.
package enum CorpusFiles: Sendable {
  case fileSystem
  /// An archive; paths of its files begin with the path of the archive.
  case archive(TarArchive, path: String)

  /// Returns the bytes of a file.
  func bytes(of path: String) throws -> [UInt8] {
    switch self {
    case .fileSystem: try FileSystem.read(path)
    case .archive(let archive, let root): try Self.bytes(of: path, in: archive, at: root)
    }
  }

  /// Loads a model; a file of its own is mapped.
  ///
  /// - Throws: `ModelError` if the engine refuses the model, another error if there is none.
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

  /// Resolves `.` and `..`; returns `nil` if the path leads out of the archive.
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
