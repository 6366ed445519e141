public import Foundation
import OcellusEngine

/// A runner for one signature of a model, whose tensors have the names in the signature.
public final class SignatureRunner {
  /// The key of the signature.
  public let signatureKey: String

  /// The names of the inputs, in byte order.
  public var inputs: [String] {
    entryPoint.inputs.map(\.signatureName).sorted(by: Self.inByteOrder)
  }

  /// The names of the outputs, in byte order.
  public var outputs: [String] {
    entryPoint.outputs.map(\.signatureName).sorted(by: Self.inByteOrder)
  }

  private let entryPoint: EntryPoint
  /// The interpreter, which keeps the model and its state alive.
  private let interpreter: Interpreter
  private let reporter: ErrorReporter

  init(
    interpreter: Interpreter, entryPoint: EntryPoint, signatureKey: String,
    reporter: ErrorReporter
  ) throws {
    self.interpreter = interpreter
    self.entryPoint = entryPoint
    self.signatureKey = signatureKey
    self.reporter = reporter
    try allocateTensors()
  }

  private static func inByteOrder(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  /// Copies the given inputs, allocates tensors if necessary, and runs the signature.
  ///
  /// Inputs that are not given keep their contents.
  public func invoke(with inputs: [String: Data]) throws {
    if entryPoint.needsAllocation { try allocateTensors() }
    for (name, data) in inputs { try copy(data, toInputNamed: name) }
    do {
      try entryPoint.run()
    } catch {
      reporter.report(error.message)
      throw SignatureRunnerError.failedToInvokeSignature(signatureKey: signatureKey)
    }
  }

  /// Returns a copy of an input.
  public func input(named name: String) throws -> Tensor {
    let index = try inputIndex(named: name)
    guard
      let tensor = try entryPoint.copyOfInput(
        at: index, isUntyped: SignatureRunnerError.invalidTensorDataType)
    else { throw SignatureRunnerError.allocateTensorsRequired }
    return tensor
  }

  /// Returns a copy of an output.
  public func output(named name: String) throws -> Tensor {
    guard let index = entryPoint.outputs.firstIndex(where: { $0.signatureName == name }) else {
      throw Self.noTensor(.output, named: name)
    }
    guard
      let tensor = try entryPoint.copyOfOutput(
        at: index, isUntyped: SignatureRunnerError.invalidTensorDataType)
    else { throw SignatureRunnerError.allocateTensorsRequired }
    return tensor
  }

  /// Changes the shape of an input; only dimensions that the model leaves open may change.
  public func resizeInput(named name: String, toShape shape: Tensor.Shape) throws {
    do {
      let index = try inputIndex(named: name)
      let input = entryPoint.inputs[index]
      guard input.shape.mayBecome(shape.dimensions, signature: input.shapeSignature) else {
        throw Self.noTensor(.input, named: name)
      }
      try entryPoint.resizeInput(at: index, to: OcellusEngine.Shape(shape.dimensions))
    } catch {
      throw SignatureRunnerError.failedToResizeInputTensor(inputName: name)
    }
  }

  /// Copies `data` into an input.
  public func copy(_ data: Data, toInputNamed name: String) throws {
    let index = try inputIndex(named: name)
    let required = entryPoint.inputs[index].byteCount
    guard data.count == required else {
      throw SignatureRunnerError.invalidTensorDataCount(provided: data.count, required: required)
    }
    guard let bytes = entryPoint.placedInputBytes(at: index) else {
      throw SignatureRunnerError.allocateTensorsRequired
    }
    data.copyBytes(to: bytes)
  }

  /// Allocates memory for all tensors; required after `resizeInput`.
  public func allocateTensors() throws {
    do {
      try entryPoint.allocate()
    } catch {
      reporter.report(error.message)
      throw SignatureRunnerError.failedToAllocateTensors
    }
  }

  private func inputIndex(named name: String) throws -> Int {
    guard let index = entryPoint.inputs.firstIndex(where: { $0.signatureName == name }) else {
      throw Self.noTensor(.input, named: name)
    }
    return index
  }

  private static func noTensor(_ type: TensorType, named name: String) -> SignatureRunnerError {
    .failedToGetTensor(tensorType: type.rawValue, nameInSignature: name)
  }
}
