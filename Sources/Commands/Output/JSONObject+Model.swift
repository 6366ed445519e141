import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusVision

extension JSONObject {
  /// Describes the model of a result by its path and the SHA-256 of its file.
  init(modelAt path: String) {
    let file = (try? ModelPackage(path: path).modelPath) ?? path
    self = [
      "model": .string(path), "model_sha256": .string(orNull: try? FileSystem.sha256(of: file)),
    ]
  }

  /// Describes the model of a result from bytes that were already read, perhaps from standard
  /// input.
  init(model path: String, _ bytes: ModelBytes) {
    self = [
      "model": .string(path),
      "model_sha256": .string(SHA256.hash(bytes.buffer).hexadecimal),
    ]
  }
}
