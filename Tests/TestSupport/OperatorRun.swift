package import OcellusEngine
package import OcellusModelFile

/// An operand of an operator under test.
package struct TestTensor {
  let tensor: ModelWriter.Tensor
  let bytes: [UInt8]

  /// Creates a tensor of numbers, quantized if there is a scale.
  package init<Element: TensorElement>(
    _ shape: [Int], _ values: [Element], scale: Float? = nil, zeroPoint: Int = 0,
    isConstant: Bool = false
  ) {
    bytes = [UInt8](bytesOf: values)
    tensor = .init(
      "x", TestTensor.fileType(of: Element.self), shape, constant: isConstant ? bytes : nil,
      quantization: TestTensor.quantization(scale: scale, zeroPoint: zeroPoint))
  }

  fileprivate static func fileType<Element: TensorElement>(of _: Element.Type) -> TensorType {
    TensorType(rawValue: Element.elementType.rawValue) ?? .float32
  }

  fileprivate static func quantization(scale: Float?, zeroPoint: Int) -> QuantizationRecord? {
    scale.map { QuantizationRecord(scales: [$0], zeroPoints: [zeroPoint]) }
  }
}

/// Runs a built-in or custom operator by its name and returns its first result.
///
/// `declaredShape` is the shape of the result in the file, which few operators use.
package func run<Result: TensorElement>(
  _ name: String, _ operands: [TestTensor], version: Int = 1,
  options: ModelWriter.Options? = nil, options2: ModelWriter.Options? = nil,
  customOptions: [UInt8] = [], declaredShape: [Int] = [], scale: Float? = nil, zeroPoint: Int = 0,
  running interpreterOptions: Interpreter.Options = .init(), as _: Result.Type = Result.self
) throws -> (shape: Shape, values: [Result]) {
  let result = ModelWriter.Tensor(
    "y", TestTensor.fileType(of: Result.self), declaredShape,
    quantization: TestTensor.quantization(scale: scale, zeroPoint: zeroPoint))
  let builtinCode = BuiltinOperator.code(named: name)
  let code = OperatorCodeRecord(
    builtinCode: builtinCode ?? BuiltinOperator.custom,
    customCode: builtinCode == nil ? name : nil, version: version)
  let writer = ModelWriter.singleOperator(
    code, reading: operands.map(\.tensor), writing: [result], options: options,
    options2: options2, customOptions: customOptions)
  let interpreter = try Interpreter(
    Model(bytes: writer.bytes()), options: interpreterOptions)
  for (index, operand) in operands.filter({ $0.tensor.constant == nil }).enumerated() {
    try interpreter.setInput(at: index, bytes: operand.bytes)
  }
  try interpreter.run()
  return (interpreter.outputs[0].shape, try interpreter.output(at: 0))
}
