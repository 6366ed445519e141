import OcellusArrays
import OcellusAudit
import OcellusEngine
import OcellusPlatform

/// The arrays of a model's inputs or outputs in files that somebody kept.
struct LoggedTensors {
  private let texts: [String]
  private let archives: [String]

  /// Takes texts such as `image=photo.npy`, `photo.npy` or `log.npz`.
  init(_ texts: [String]) {
    archives = texts.filter { $0.hasSuffix(".npz") || FileSystem.isDirectory($0) }
    self.texts = texts.filter { !($0.hasSuffix(".npz") || FileSystem.isDirectory($0)) }
  }

  /// Reads the arrays of the tensors that have one, by their position.
  func arrays(of tensors: [TensorDescription]) throws -> [Int: NPYArray] {
    var arrays: [Int: NPYArray] = [:]
    for (index, path) in try InputAssignment(of: texts, to: tensors).files {
      let bytes = try FileOrStream.bytes(path)
      do throws(NPYError) {
        arrays[index] = try NPYArray(file: bytes)
      } catch {
        throw RunError("\(path): \(error)")
      }
    }
    for path in archives {
      let archive = try TensorArchive(path: path)
      for (index, tensor) in tensors.enumerated() where arrays[index] == nil {
        arrays[index] =
          try archive.array(tensor.tensorIndex, name: tensor.signatureName)
          ?? archive.array(tensor.tensorIndex, name: tensor.name)
      }
    }
    return arrays
  }
}
