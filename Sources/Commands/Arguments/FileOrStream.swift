import OcellusEngine
import OcellusModelFile
import OcellusPlatform

/// Operands that name a file, or by `-` standard input.
enum FileOrStream {
  /// A stream may not end.
  private static let longestStream = 1 << 31

  /// How messages call it.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// All bytes.
  static func bytes(_ path: String) throws(FileError) -> [UInt8] {
    path == "-"
      ? try FileSystem.read(.standardInput, limit: longestStream) : try FileSystem.read(path)
  }

  /// The bytes of a model, which stay where they are in a file.
  static func model(_ path: String) throws -> ModelBytes {
    path == "-" ? ModelBytes(try bytes(path)) : try ModelBytes(path: path)
  }
}
