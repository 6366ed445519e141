import Foundation
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
package import OcellusStore

/// The models that the guides name, hosted by the tests' web server.
///
/// All tests of a run share one store, as the guides' global managers do.
package final class GuideModels: Sendable {
  /// The shared models, or `nil` without a web server.
  package static let shared: GuideModels? = WebServer.shared.flatMap { try? GuideModels($0) }

  package let store: ModelStore
  private let folder: TemporaryDirectory

  private init(_ server: WebServer) throws {
    let hosted = server.folder + "/guides"
    try FileSystem.createDirectory(hosted)
    try FileSystem.write(SyntheticLabeler.writer.bytes(), to: hosted + "/your_remote_model.tflite")
    try FileSystem.write(
      Array("rose\ntulip\ndaisy\n".utf8), to: hosted + "/your_remote_model.labels.txt")
    try FileSystem.write(SyntheticLabeler.writer.bytes(), to: hosted + "/another_model.tflite")
    let salad = SharedFiles.folder.path + "/zoo/models/salad1_automl.tflite"
    if FileSystem.exists(salad) {
      try FileSystem.write(
        try FileSystem.read(salad), to: hosted + "/your_remote_detector.tflite")
    }
    let manifest = try ModelFolder(hosted).manifestDocument()
    try FileSystem.write(Array(manifest.text.utf8), to: hosted + "/manifest.json")
    folder = try TemporaryDirectory()
    store = ModelStore(
      try .manifest(server.url("/guides/manifest.json")),
      transport: CurlTransport(authorities: server.authorities),
      options: .init(folder: folder.path))
  }
}
