import OcellusArrays
import OcellusEngine
import OcellusModelFile
package import OcellusPlatform

/// Where tensors are put as NumPy arrays: a directory of .npy files, or one .npz file, which `numpy.load`
/// opens.
package final class TensorStore {
  private enum Target {
    case directory(String)
    case archive(ZipWriter)
  }

  private let target: Target

  /// A store at a path: an archive if that ends in `.npz`, else a directory.
  package init(path: String) throws(FileError) {
    if path.hasSuffix(".npz") {
      target = .archive(try ZipWriter(path: path))
    } else {
      try FileSystem.createDirectory(path)
      target = .directory(path)
    }
  }

  /// Puts a tensor; nothing where its type has no values.
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

  /// Puts a file.
  package func write(_ bytes: [UInt8], named name: String) throws {
    switch target {
    case .directory(let path): try FileSystem.write(bytes, to: "\(path)/\(name)")
    case .archive(let writer): try writer.add(bytes, named: name)
    }
  }

  /// Ends an archive, which cannot be read before.
  package func close() throws {
    if case .archive(let writer) = target { try writer.close() }
  }
}
