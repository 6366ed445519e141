import OcellusArrays
import OcellusEngine
import OcellusModelFile
package import OcellusPlatform

/// A destination for NumPy arrays: a directory of .npy files, or one .npz file for `numpy.load`.
package final class TensorStore {
  private enum Target {
    case directory(String)
    case archive(ZipWriter)
  }

  private let target: Target

  /// Creates a store: an archive if the path ends in `.npz`, otherwise a directory.
  package init(path: String) throws(FileError) {
    if path.hasSuffix(".npz") {
      target = .archive(try ZipWriter(path: path))
    } else {
      try FileSystem.createDirectory(path)
      target = .directory(path)
    }
  }

  /// Stores a tensor, unless its type has no values.
  ///
  /// - Returns: the name of its file in the store.
  package func keep(
    _ tensor: TensorTrace, subgraph: Int, call: Int, _ bytes: UnsafeRawBufferPointer
  ) throws -> String? {
    if tensor.type == .resource || tensor.type == .variant { return nil }
    let name = TensorFileName(
      subgraph: subgraph, call: call, index: tensor.index, name: tensor.name)
    let array = try NPYArray(
      of: tensor.type, shape: tensor.shape.dimensions, bytes: Array(bytes))
    try write(array.file, named: name.stem + ".npy")
    return name.stem + ".npy"
  }

  /// Stores a file.
  package func write(_ bytes: [UInt8], named name: String) throws {
    switch target {
    case .directory(let path): try FileSystem.write(bytes, to: "\(path)/\(name)")
    case .archive(let writer): try writer.add(bytes, named: name)
    }
  }

  /// Finishes an archive, which cannot be read before.
  package func close() throws {
    if case .archive(let writer) = target { try writer.close() }
  }
}
