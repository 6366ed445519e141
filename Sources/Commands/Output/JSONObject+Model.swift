import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusVision

extension JSONObject {
  /// Which model a result is about: its path, and the digest of its file.
  init(modelAt path: String) {
    let file = (try? ModelPackage(path: path).modelPath) ?? path
    self = [
      "model": .string(path), "model_sha256": .string(orNull: try? FileSystem.sha256(of: file)),
    ]
  }

  /// Which model a result is about that was read already, perhaps from standard input.
  init(model path: String, _ bytes: ModelBytes) {
    self = [
      "model": .string(path),
      "model_sha256": .string(SHA256.hash(bytes.buffer).hexadecimal),
    ]
  }
}
