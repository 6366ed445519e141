import OcellusEngine
import OcellusHandles
import OcellusModelFile
import Synchronization

/// What a `TfLiteModel` is: a file that was read, and once an interpreter wants it, the graph that all
/// interpreters share which bring no operators of their own.
final class SharedModel: Handle, Sendable {
  let file: ModelFile
  private let graph = Mutex<Result<Model, ModelError>?>(nil)

  init(_ bytes: ModelBytes) throws(ModelFileError) {
    file = try ModelFile(bytes)
  }

  /// The model with the engine's operators.
  func model() throws(ModelError) -> Model {
    let result = graph.withLock { graph in
      let made = graph ?? Result { () throws(ModelError) in try Model(file) }
      graph = made
      return made
    }
    return try result.get()
  }
}
