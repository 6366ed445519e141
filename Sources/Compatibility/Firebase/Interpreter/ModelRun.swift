import Foundation
import OcellusCompatibility
import OcellusEngine

/// The arguments of a run, copied when the run was requested.
struct ModelRun: Sendable {
  var contents: [ModelInputs.Content]
  var inputs: [UInt: ModelInputOutputOptions.Format]
  var outputs: [UInt: ModelInputOutputOptions.Format]

  func callAsFunction(
    _ interpreter: OcellusEngine.Interpreter
  ) throws(ProcessingError) -> ModelOutputs {
    let inputCount = interpreter.inputs.count
    guard contents.count == inputCount else {
      throw .invalidArgument(
        "there are \(contents.count) inputs; the model has \(inputCount)")
    }
    do throws(ModelError) {
      for (index, format) in inputs where index < inputCount {
        try interpreter.resizeInput(at: Int(index), to: Shape(format.dimensions))
      }
      try interpreter.allocate()
    } catch {
      throw .failedToProcess(error.description)
    }
    for (index, content) in contents.enumerated() { try fill(index, with: content, interpreter) }
    do throws(ModelError) { try interpreter.run() } catch {
      throw .failedToProcess(error.description)
    }
    var results: [UInt: ModelOutputs.Output] = [:]
    for (index, format) in outputs { results[index] = try output(index, format, interpreter) }
    return ModelOutputs(results)
  }

  private func fill(
    _ index: Int, with content: ModelInputs.Content, _ interpreter: OcellusEngine.Interpreter
  ) throws(ProcessingError) {
    let type = interpreter.main.inputDescription(at: index).type
    if let format = inputs[UInt(index)], format.type.tensorType != type {
      throw .invalidArgument("input \(index) is of type \(type.name), not \(format.type)")
    }
    guard let memory = interpreter.main.placedInputBytes(at: index) else {
      throw .failedToProcess("input \(index) has no memory before the model runs")
    }
    let bytes: [UInt8]
    switch content {
    case .bytes(let data): bytes = Array(data)
    case .numbers(let numbers): bytes = try type.bytes(of: numbers)
    }
    guard bytes.count == memory.count else {
      throw .invalidArgument("input \(index) takes \(memory.count) bytes, not \(bytes.count)")
    }
    memory.copyBytes(from: bytes)
  }

  private func output(
    _ index: UInt, _ format: ModelInputOutputOptions.Format,
    _ interpreter: OcellusEngine.Interpreter
  ) throws(ProcessingError) -> ModelOutputs.Output {
    guard index < interpreter.outputs.count else {
      throw .invalidArgument("there is no output \(index) of \(interpreter.outputs.count)")
    }
    let type = interpreter.main.outputDescription(at: Int(index)).type
    guard format.type.tensorType == type else {
      throw .invalidArgument("output \(index) is of type \(type.name), not \(format.type)")
    }
    let numbers = try type.numbers(in: interpreter.main.placedOutputBytes(at: Int(index)))
    let (count, overflow) = format.dimensions.reduce((1, false)) { product, extent in
      let (next, overflow) = product.0.multipliedReportingOverflow(by: extent)
      return (next, product.1 || overflow)
    }
    guard !overflow, count == numbers.count else {
      throw .invalidArgument(
        "output \(index) has \(numbers.count) elements, which \(format.dimensions) do not hold")
    }
    return ModelOutputs.Output(numbers: numbers, dimensions: format.dimensions)
  }
}

extension ElementType {
  /// Converts numbers to bytes of this type; saturates numbers that the type cannot represent.
  fileprivate func bytes(of numbers: [Double]) throws(ProcessingError) -> [UInt8] {
    func bytes<Number>(_ convert: (Double) -> Number) -> [UInt8] {
      numbers.map(convert).withUnsafeBytes { Array($0) }
    }
    return switch self {
    case .float32: bytes { Float($0) }
    case .int32: bytes { Int32(nearest: $0) }
    case .uint8: bytes { UInt8(nearest: $0) }
    case .int64: bytes { Int64(nearest: $0) }
    default: throw .invalidArgument("inputs of type \(name) are given as bytes")
    }
  }

  /// Converts the bytes of a tensor of this type to numbers.
  fileprivate func numbers(
    in bytes: UnsafeRawBufferPointer?
  ) throws(ProcessingError) -> [Double] {
    guard let bytes else { return [] }
    return switch self {
    case .float32: bytes.bindMemory(to: Float.self).map(Double.init)
    case .int32: bytes.bindMemory(to: Int32.self).map(Double.init)
    case .uint8: bytes.map(Double.init)
    case .int64: bytes.bindMemory(to: Int64.self).map(Double.init)
    default: throw .invalidArgument("outputs of type \(name) have no format")
    }
  }
}

extension FixedWidthInteger {
  /// Creates the nearest number of this type; 0 for NaN.
  fileprivate init(nearest number: Double) {
    self = number.isNaN ? 0 : Self(exactly: number.rounded()) ?? (number < 0 ? .min : .max)
  }
}
