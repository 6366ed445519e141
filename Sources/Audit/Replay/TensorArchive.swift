package import OcellusArrays
package import OcellusEngine
package import OcellusJSON
import OcellusModelFile
import OcellusPlatform

/// Tensors stored as NumPy arrays in a directory or an .npz file, by a trace or another runtime.
///
/// A tensor is found by the file name that traces give it, by its name in the model, or by that
/// name with the characters replaced that file systems reject.
package struct TensorArchive {
  private enum Source {
    case directory
    case archive(AssociatedFiles)
  }

  /// The path of the directory or file.
  package let path: String
  private let source: Source
  private let names: Set<String>
  /// The maximum size of one array in bytes.
  private static let maximumBytes = 1 << 31

  package init(path: String) throws {
    self.path = path
    if FileSystem.isDirectory(path) {
      source = .directory
      names = Set(try FileSystem.entries(of: path))
    } else {
      let archive = try AssociatedFiles(
        in: ModelBytes(path: path), largestEntry: Self.maximumBytes, limit: .max)
      source = .archive(archive)
      names = Set(archive.entries.map(\.name))
    }
    guard names.contains(where: { $0.hasSuffix(".npy") }) || names.contains(Self.traceName) else {
      throw AuditError(
        "\(path): there are no .npy files; a trace has them at '--level full', and a dump of another "
          + "runtime has one for each tensor, named like it")
    }
  }

  /// The file in which a trace stores everything but tensors.
  package static let traceName = "trace.json"

  /// Returns the contents of the trace's JSON file, if the archive is a trace.
  package func traceJSON() throws -> JSONValue? {
    guard names.contains(Self.traceName) else { return nil }
    do { return try JSONParser.parse(try contents(of: Self.traceName)) } catch let error
      as JSONError
    {
      throw AuditError("\(path)/\(Self.traceName): \(error)")
    }
  }

  /// Returns the array of a tensor, or `nil` if there is none.
  package func array(
    _ index: Int, name: String, subgraph: Int = 0, call: Int = 0
  ) throws -> NPYArray? {
    let own = TensorFileName(subgraph: subgraph, call: call, index: index, name: name).stem
    let candidates = subgraph == 0 ? [own, name, TensorFileName.plain(name)] : [own]
    guard let file = candidates.map({ $0 + ".npy" }).first(where: names.contains) else {
      return nil
    }
    do throws(NPYError) { return try NPYArray(file: try bytes(of: file)) } catch {
      throw AuditError("\(path), \(file): \(error)")
    }
  }

  /// Returns a tensor with the type and quantization given by a model, or `nil` if there is none.
  package func tensor(
    _ index: Int, name: String, type: ElementType, quantization: Quantization?, subgraph: Int = 0,
    call: Int = 0
  ) throws -> StoredTensor? {
    guard let array = try array(index, name: name, subgraph: subgraph, call: call) else {
      return nil
    }
    do throws(NPYError) {
      return StoredTensor(
        type: type, shape: Shape(array.shape), quantization: quantization,
        bytes: try array.tensorBytes(of: type))
    } catch {
      throw AuditError("\(path), tensor \(index) '\(name)': \(error)")
    }
  }

  private func bytes(of name: String) throws(NPYError) -> [UInt8] {
    do { return try contents(of: name) } catch { throw NPYError("\(error)") }
  }

  private func contents(of name: String) throws -> [UInt8] {
    switch source {
    case .directory: try FileSystem.read("\(path)/\(name)", limit: Self.maximumBytes)
    case .archive(let archive): try archive.contents(of: name) ?? []
    }
  }
}
