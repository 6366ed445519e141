import Foundation
import OcellusModelFile

/// A model file, read but not yet prepared to run.
final class Model {
  typealias CModel = OpaquePointer

  /// A handle that is `nil` when the bytes are not a model, as in the official API.
  let cModel: CModel?
  /// The bytes that the model was made from; `nil` for a model from a file.
  let data: Data?

  let file: ModelFile?
  /// What is wrong with the bytes.
  let failure: ModelFileError?

  /// Reads a file; `nil` when there is none or it is not a model.
  init?(filePath: String) {
    guard !filePath.isEmpty, let bytes = try? ModelBytes(path: filePath),
      let file = try? ModelFile(bytes)
    else { return nil }
    self.file = file
    failure = nil
    data = nil
    cModel = Self.handle(of: bytes)
  }

  /// Reads bytes; never `nil`, but bytes that are not a model leave `cModel` so.
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

  /// The handle's only use is to be there: it points to what `file` keeps alive.
  private static func handle(of bytes: ModelBytes) -> CModel {
    CModel(Unmanaged.passUnretained(bytes).toOpaque())
  }
}
