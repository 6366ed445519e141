import OcellusEngine
import OcellusHandles
import OcellusModelFile
import Synchronization

/// The object behind a `TfLiteModel`: a parsed file and, on demand, its graph.
///
/// All interpreters without operators of the program share the graph.
final class SharedModel: Handle, Sendable {
  let file: ModelFile
  private let graph = Mutex<Result<Model, ModelError>?>(nil)

  init(_ bytes: ModelBytes) throws(ModelFileError) {
    file = try ModelFile(bytes)
  }

  /// Returns the model with the engine's operators, built on the first call.
  func model() throws(ModelError) -> Model {
    let result = graph.withLock { graph in
      let made = graph ?? Result { () throws(ModelError) in try Model(file) }
      graph = made
      return made
    }
    return try result.get()
  }
}
