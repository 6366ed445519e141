import OcellusKernelABI

/// The time of one layer with one instruction set.
struct LayerBenchmark {
  var shape: LayerShape
  var table: KernelTable

  /// Multiply-adds per nanosecond of the float kernel, or zero where there is none.
  func floatRate() -> Double {
    let input = filled(count: shape.geometry.inputCount, with: 0.5 as Float)
    let filter = filled(count: shape.filterCount, with: 0.25 as Float)
    let output = filled(count: shape.rows * shape.outputs, with: 0 as Float)
    defer { [input, filter, output].forEach { $0.deallocate() } }
    let geometry = shape.geometry
    if shape.kind == .depthwise {
      let kernel = table.floatDepthwise
      let taps = geometry.windowHeight * geometry.windowWidth
      let packed = bytes(kernel.packedByteCount(geometry.channels, taps))
      defer { packed.deallocate() }
      kernel.pack(
        FloatDepthwisePackingArguments(
          filter: filter, bias: nil, channels: geometry.channels, taps: taps, packed: packed))
      return rate {
        kernel.run(
          WindowBlock(
            patches: geometry, input: input, packed: packed, output: output, pixels: 0..<shape.rows,
            finish: FloatFinish(minimum: 0, maximum: 6), scratch: output))
      }
    }
    let kernel = table.floatGEMM
    let packed = bytes(kernel.packedByteCount(shape.outputs, geometry.depth))
    let scratch = bytes(kernel.scratchByteCount(geometry))
    defer { [packed, scratch].forEach { $0.deallocate() } }
    kernel.pack(
      FloatPackingArguments(
        filter: filter, bias: nil, columns: shape.outputs, depth: geometry.depth, packed: packed))
    return rate {
      kernel.run(
        ProductBlock(
          patches: geometry, input: input, packed: packed, output: output,
          outputStride: shape.outputs, rows: 0..<shape.rows, columns: 0..<shape.outputs,
          finish: FloatFinish(minimum: 0, maximum: 6), scratch: scratch))
    }
  }

  /// Multiply-adds per nanosecond of the int8 kernel, or of the uint8 one, whose weights have a
  /// zero point.
  func quantizedRate(isSigned: Bool = true) -> Double {
    let input = filled(count: shape.geometry.inputCount, with: 3 as Int8)
    let filter = filled(count: shape.filterCount, with: 5 as Int8)
    let output = filled(count: shape.rows * shape.outputs, with: 0 as Int8)
    let multipliers = filled(count: shape.outputs, with: 1_500_000_000 as Int32)
    let shifts = filled(count: shape.outputs, with: -7 as Int32)
    defer {
      [input, filter, output].forEach { $0.deallocate() }
      [multipliers, shifts].forEach { $0.deallocate() }
    }
    let format = QuantizedFormat(isSigned: isSigned, zeroPoint: isSigned ? -4 : 124)
    let weights = QuantizedFormat(isSigned: isSigned, zeroPoint: isSigned ? 0 : 117)
    let range =
      isSigned
      ? QuantizedRange(zeroPoint: -128, minimum: -128, maximum: 127)
      : QuantizedRange(zeroPoint: 0, minimum: 0, maximum: 255)
    let scaling = SumScaling.fixedPoint(multipliers: multipliers, shifts: shifts)
    let geometry = shape.geometry
    if shape.kind == .depthwise {
      let kernel = table.quantizedDepthwise
      let packed = bytes(
        kernel.packedByteCount(
          geometry.channels, geometry.windowHeight, geometry.windowWidth))
      let scratch = bytes(kernel.scratchByteCount(geometry))
      defer { [packed, scratch].forEach { $0.deallocate() } }
      kernel.pack(
        QuantizedDepthwisePackingArguments(
          filter: filter, filterFormat: weights, inputFormat: format, bias: nil,
          requantization: scaling, channels: geometry.channels,
          height: geometry.windowHeight, width: geometry.windowWidth, packed: packed))
      return rate {
        kernel.run(
          WindowBlock(
            patches: geometry, input: input, packed: packed, output: output, pixels: 0..<shape.rows,
            finish: QuantizedFinish(inputFormat: format, range: range), scratch: scratch))
      }
    }
    let kernel = table.quantizedGEMM
    let packed = bytes(kernel.packedByteCountOfRuns(shape.outputs, geometry.depth, geometry.runs))
    let scratch = bytes(kernel.scratchByteCount(geometry))
    defer { [packed, scratch].forEach { $0.deallocate() } }
    kernel.pack(
      QuantizedPackingArguments(
        filter: filter, filterFormat: weights, inputFormat: format, bias: nil,
        requantization: scaling, columns: shape.outputs, depth: geometry.depth,
        runs: geometry.runs, packed: packed))
    return rate {
      kernel.run(
        ProductBlock(
          patches: geometry, input: input, packed: packed, output: output,
          outputStride: shape.outputs, rows: 0..<shape.rows, columns: 0..<shape.outputs,
          finish: QuantizedFinish(inputFormat: format, range: range), scratch: scratch))
    }
  }

  /// Multiply-adds per nanosecond if the layer took as long as a copy that reads and writes as many
  /// bytes as its tensors have.
  func copyRate(elementBytes: Int) -> Double {
    let count = (shape.geometry.inputCount + shape.rows * shape.outputs) * elementBytes / 2
    let (source, target) = (filled(count: count, with: 1 as Int8), bytes(count))
    defer {
      source.deallocate()
      target.deallocate()
    }
    return rate { target.copyMemory(from: source, byteCount: count) }
  }

  /// The rate of the fastest of some batches of calls: other work on the machine only slows them.
  private func rate(_ call: () -> Void) -> Double {
    let clock = ContinuousClock()
    call()
    let once = max(clock.measure(call) / .nanoseconds(1), 1)
    let calls = max(1, Int(2_000_000 / once))
    var best = Double.infinity
    for _ in 0..<12 {
      let time = clock.measure { for _ in 0..<calls { call() } }
      best = min(best, time / .nanoseconds(1) / Double(calls))
    }
    return Double(shape.multiplyAdds) / best
  }
}

private func filled<Element>(
  count: Int, with value: Element
) -> UnsafeMutablePointer<Element> {
  let memory = bytes(count * MemoryLayout<Element>.stride)
  return memory.initializeMemory(as: Element.self, repeating: value, count: count)
}

private func bytes(_ count: Int) -> UnsafeMutableRawPointer {
  .allocate(byteCount: count, alignment: 64)
}

extension PatchGeometry {
  fileprivate var inputCount: Int { inputHeight * inputWidth * pixelStride }
}

extension LayerShape {
  fileprivate var filterCount: Int {
    kind == .depthwise ? geometry.depth : geometry.depth * outputs
  }
}
