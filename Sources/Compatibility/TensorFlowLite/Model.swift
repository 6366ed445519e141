import Foundation
import OcellusModelFile

/// A parsed model file, not yet prepared to run.
final class Model {
  typealias CModel = OpaquePointer

  /// A handle that is `nil` if the bytes are not a valid model, as in the official API.
  let cModel: CModel?
  /// The bytes from which the model was created; `nil` for a model from a file.
  let data: Data?

  let file: ModelFile?
  /// The error in the bytes, if they are not a valid model.
  let failure: ModelFileError?

  /// Reads a model file; `nil` if it is missing or not a valid model.
  init?(filePath: String) {
    guard !filePath.isEmpty, let bytes = try? ModelBytes(path: filePath),
      let file = try? ModelFile(bytes)
    else { return nil }
    self.file = file
    failure = nil
    data = nil
    cModel = Self.handle(of: bytes)
  }

  /// Parses a model; never `nil`, but `cModel` is `nil` for invalid bytes.
  init?(modelData: Data) {
    let bytes = ModelBytes(Array(modelData))
    data = modelData
    do {
      file = try ModelFile(bytes)
      failure = nil
      cModel = Self.handle(of: bytes)
    } catch {
      file = nil
      failure = error
      cModel = nil
    }
  }

  /// Returns an opaque non-null handle; it points to an object that `file` keeps alive.
  private static func handle(of bytes: ModelBytes) -> CModel {
    CModel(Unmanaged.passUnretained(bytes).toOpaque())
  }
}
