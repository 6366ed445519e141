import OcellusEngine
import OcellusVision

/// An interpreter that takes and gives tensors, as a member of a pool.
///
/// Unchecked: the pool's thread alone uses the interpreter.
final class TensorRunner: PooledViewer, @unchecked Sendable {
  private let interpreter: Interpreter

  init(_ model: Model, _ options: Interpreter.Options) throws(VisionError) {
    do throws(ModelError) { interpreter = try Interpreter(model, options: options) } catch {
      throw .model(error)
    }
  }

  /// Another runner of the same model.
  func duplicate() throws(VisionError) -> TensorRunner {
    try TensorRunner(interpreter.model, interpreter.options)
  }

  /// The cancellation of the run in progress.
  var cancellations: [Cancellation] { [interpreter.cancellation] }

  /// Plans the first run, after which the shapes of the outputs are known as far as they can be.
  func prepare() throws(VisionError) {
    do throws(ModelError) { try interpreter.allocate() } catch { throw .model(error) }
  }

  /// The inputs of the model.
  var inputs: [TensorDescription] { interpreter.inputs }

  /// The outputs of the model.
  var outputs: [TensorDescription] { interpreter.outputs }

  /// Runs the model, which begins with fresh variables: requests do not depend on each other.
  ///
  /// - Parameters:
  ///   - inputs: The values of all inputs, in the model's order.
  ///   - wanted: The indices of the outputs to return.
  /// - Returns: The outputs that are wanted.
  /// - Throws: `ModelError` when the inputs do not fit, or the run fails.
  func run(_ inputs: [TensorValue], wanted: [Int]) throws -> [TensorValue] {
    interpreter.resetState()
    for (index, input) in inputs.enumerated() {
      if interpreter.main.inputDescription(at: index).shape != input.shape {
        try interpreter.resizeInput(at: index, to: input.shape)
      }
    }
    try interpreter.allocate()
    for (index, input) in inputs.enumerated() {
      try interpreter.setInput(at: index, bytes: input.bytes)
    }
    try interpreter.run()
    let outputs = interpreter.outputs
    return try wanted.map { index in
      TensorValue(
        type: outputs[index].type, shape: outputs[index].shape,
        bytes: try interpreter.main.withOutputBytes(at: index) { Array($0) })
    }
  }
}

/// The values of a tensor, with their bytes in the order of the engine.
struct TensorValue: Sendable, Equatable {
  var type: ElementType
  var shape: Shape
  var bytes: [UInt8]
}
