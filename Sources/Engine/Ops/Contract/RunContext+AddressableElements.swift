extension RunContext {
  /// Calls `body` with all operands and results in a form where every element has an address.
  ///
  /// Code that copies elements then need not know their type. Packed integers are unpacked to one
  /// byte each. Strings become numbers, counted through all operands; the numbers that `body`
  /// writes to a result select its strings.
  package func withAddressableElements(
    _ body: (_ inputs: [TensorView?], _ outputs: [TensorView]) throws(ModelError) -> Void
  ) throws(ModelError) {
    let inputs = (0..<inputCount).map { optionalInput($0) }
    let outputs = (0..<outputCount).map { output($0) }
    guard outputs.contains(where: { $0.type.byteWidth == nil }) else {
      return try body(inputs, outputs)
    }
    if outputs.contains(where: { $0.type == .string }) {
      try withNumberedStrings(inputs, outputs, body)
    } else {
      try withUnpackedElements(inputs, outputs, body)
    }
  }

  private func withUnpackedElements(
    _ inputs: [TensorView?], _ outputs: [TensorView],
    _ body: ([TensorView?], [TensorView]) throws(ModelError) -> Void
  ) throws(ModelError) {
    var blocks: [MemoryBlock] = []
    func unpack(_ tensor: TensorView) throws(ModelError) -> TensorView {
      guard tensor.type.isPacked else { return tensor }
      let bytes = try stage(tensor, as: .int8, in: &blocks)
      PackedIntegers.unpack(
        UnsafeRawBufferPointer(tensor.bytes), of: tensor.type, to: bytes.values(), control)
      return bytes
    }
    var unpackedInputs: [TensorView?] = []
    for input in inputs {
      if let input { unpackedInputs.append(try unpack(input)) } else { unpackedInputs.append(nil) }
    }
    var unpackedOutputs: [TensorView] = []
    for output in outputs { unpackedOutputs.append(try unpack(output)) }
    try body(unpackedInputs, unpackedOutputs)
    for (output, bytes) in zip(outputs, unpackedOutputs) where output.type.isPacked {
      PackedIntegers.pack(
        UnsafeBufferPointer(bytes.values()), as: output.type, to: output.bytes, control)
    }
    withExtendedLifetime(blocks) {}
  }

  private func withNumberedStrings(
    _ inputs: [TensorView?], _ outputs: [TensorView],
    _ body: ([TensorView?], [TensorView]) throws(ModelError) -> Void
  ) throws(ModelError) {
    var blocks: [MemoryBlock] = []
    var pools: [(first: Int, strings: StringTensor)] = []
    var count = 0
    var numberedInputs: [TensorView?] = []
    for input in inputs {
      guard let input, input.type == .string else {
        numberedInputs.append(input)
        continue
      }
      pools.append((count, try strings(of: input)))
      let numbers = try stage(input, as: .int64, in: &blocks)
      let values = numbers.values(Int64.self)
      for chunk in chunks(of: values.count) {
        for index in chunk { values[index] = Int64(count + index) }
      }
      count += values.count
      numberedInputs.append(numbers)
    }
    var numberedOutputs: [TensorView] = []
    for output in outputs {
      numberedOutputs.append(
        output.type == .string ? try stage(output, as: .int64, in: &blocks) : output)
    }
    try body(numberedInputs, numberedOutputs)
    // If the run was stopped, some numbers were never written and stand for no string.
    try checkpoint()
    for (position, output) in outputs.enumerated() where output.type == .string {
      let numbers = numberedOutputs[position].values(Int64.self)
      try makeStrings(position, shape: output.shape) { index in
        let number = Int(numbers[index])
        let pool = pools.last { $0.first <= number }
        return pool?.strings[number - (pool?.first ?? 0)]
          ?? UnsafeRawBufferPointer(start: nil, count: 0)
      }
    }
    withExtendedLifetime(blocks) {}
  }

  /// Allocates memory for a tensor's elements in another type, charged to the budget.
  private func stage(
    _ tensor: TensorView, as type: ElementType, in blocks: inout [MemoryBlock]
  ) throws(ModelError) -> TensorView {
    let byteCount = type.byteCount(ofElements: tensor.elementCount) ?? 0
    let block = try workingMemory(byteCount: byteCount)
    blocks.append(block)
    return TensorView(
      type: type, shape: tensor.shape, quantization: tensor.quantization,
      bytes: UnsafeMutableRawBufferPointer(start: block.base, count: byteCount), control: control)
  }
}
