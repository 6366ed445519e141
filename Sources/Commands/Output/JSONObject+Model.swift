import OcellusJSON
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
}
