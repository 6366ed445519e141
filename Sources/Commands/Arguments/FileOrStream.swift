import OcellusEngine
import OcellusModelFile
import OcellusPlatform

/// Operands that name a file, or standard input by `-`.
enum FileOrStream {
  /// The maximum size of a stream, which might never end.
  private static let longestStream = 1 << 31

  /// Returns the name of the file or stream for messages.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// Reads all bytes.
  static func bytes(_ path: String) throws(FileError) -> [UInt8] {
    path == "-"
      ? try FileSystem.read(.standardInput, limit: longestStream) : try FileSystem.read(path)
  }

  /// Returns a model; a file is mapped, not copied.
  static func model(_ path: String) throws -> ModelBytes {
    path == "-" ? ModelBytes(try bytes(path)) : try ModelBytes(path: path)
  }
}
