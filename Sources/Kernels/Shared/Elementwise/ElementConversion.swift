import OcellusKernelABI

/// Converts an array to another type.
func convert(_ conversion: ElementConversion, _ row: ElementRow) {
  switch conversion {
  case .quantize(.int16, let scale, let range):
    quantize(row, scale: scale, range, as: ShortLanes.self)
  case .quantize(_, let scale, let range)
  where row.count >= sumVectorBytes && isFarFromLimits(scale):
    quantizeToBytes(row, scale: scale, range)
  case .quantize(_, let scale, let range):
    quantize(row, scale: scale, range, as: ByteLanes.self)
  case .dequantize(.int16, let scale, let zeroPoint):
    dequantize(row, .int16, scale: scale, zeroPoint: zeroPoint, as: ShortLanes.self)
  case .dequantize(let element, let scale, let zeroPoint):
    dequantize(row, element, scale: scale, zeroPoint: zeroPoint, as: ByteLanes.self)
  case .requantize(let source, let zeroPoint, let target, let result):
    let numbers = CenteredElements(source, zeroPoint: zeroPoint)
    switch (source, target) {
    case (.int16, .int16):
      requantize(row, numbers, result, from: ShortLanes.self, to: ShortLanes.self)
    case (.int16, _):
      requantize(row, numbers, result, from: ShortLanes.self, to: ByteLanes.self)
    case (_, .int16):
      requantize(row, numbers, result, from: ByteLanes.self, to: ShortLanes.self)
    default: requantize(row, numbers, result, from: ByteLanes.self, to: ByteLanes.self)
    }
  case .rectify(let kept, let sloped, let negatesSloped):
    rectify(row, kept, sloped, negatesSloped: negatesSloped)
  case .scaleMagnitudes(let result):
    let scale = ResultScale<FixedPointScale>(result)
    mapRow(row, inputBytes: 2, outputBytes: 2) { input in
      let numbers = int16sToLanes(input)
      return scale(maximum(numbers, SumVector() &- numbers))
    } store: { lanes, output in
      storeInt16s(lanes, to: output)
    }
  case .negateBytes: negateBytes(row)
  case .scaleSums(let zeroPoint, let result):
    let numbers = CenteredElements(.int16, zeroPoint: zeroPoint)
    requantize(row, numbers, result, from: SumLanes.self, to: ByteLanes.self)
  case .widenHalves:
    mapRow(row, inputBytes: 2, outputBytes: 4, compute: floatsOfHalves) { result, output in
      store(result, to: output)
    }
  case .cast(let source, let target): cast(row, from: source, to: target)
  case .integersToFloats:
    mapRow(row, inputBytes: 4, outputBytes: 4) { input in
      floats(loadSums(input))
    } store: { result, output in
      store(result, to: output)
    }
  case .floatsToIntegers:
    mapRow(row, inputBytes: 4, outputBytes: 4, compute: integersOfFloats) { result, output in
      store(result, to: output)
    }
  }
}

private func negateBytes(_ row: ElementRow) {
  guard row.count >= sumVectorBytes else {
    for index in 0..<row.count { store(0 &- loadByte(row.input + index), to: row.output + index) }
    return
  }
  // The highest bits are set first, so that no byte borrows from the next one, and corrected last.
  let highest = SumVector(repeating: Int32(bitPattern: 0x8080_8080))
  mapElements(count: row.count, lanes: sumVectorBytes) { index in
    let bytes = loadSums(row.input + index)
    return (highest &- (bytes & ~highest)) ^ (~bytes & highest)
  } store: { result, index in
    store(result, to: row.output + index)
  }
}

@inline(__always)
private func quantize<Lanes: QuantizedLanes>(
  _ row: ElementRow, scale: Float, _ range: QuantizedRange, as _: Lanes.Type
) {
  let scales = FloatVector(repeating: scale)
  let zeroPoint = SumVector(repeating: range.zeroPoint)
  let low = FloatVector(repeating: Float(range.minimum &- range.zeroPoint))
  let high = FloatVector(repeating: Float(range.maximum &- range.zeroPoint))
  mapRow(row, inputBytes: 4, outputBytes: Lanes.elementBytes) { input in
    let steps = minimum(maximum(loadFloats(input) / scales, low), high)
    return roundedAwayFromZero(steps) &+ zeroPoint
  } store: { lanes, output in
    Lanes.store(lanes, to: output)
  }
}

/// Quantizes four vectors at a time, whose bytes fill one vector.
@inline(__always)
private func quantizeToBytes(_ row: ElementRow, scale: Float, _ range: QuantizedRange) {
  let quantized = QuantizedBytes(scale: scale, range)
  mapElements(count: row.count, lanes: sumVectorBytes) { index in
    quantized(Quartet(at: row.input + index &* 4))
  } store: { result, index in
    store(result, to: row.output + index)
  }
}

/// Whether multiplications by the reciprocal of a number give normal floats.
private func isFarFromLimits(_ divisor: Float) -> Bool {
  divisor > 0x1p-60 && divisor < 0x1p60
}

@inline(__always)
private func dequantize<Lanes: QuantizedLanes>(
  _ row: ElementRow, _ element: QuantizedElement, scale: Float, zeroPoint: Int32,
  as _: Lanes.Type
) {
  let scales = FloatVector(repeating: scale)
  let numbers = CenteredElements(element, zeroPoint: zeroPoint)
  mapRow(row, inputBytes: Lanes.elementBytes, outputBytes: 4) { input in
    scales * floats(numbers.load(input, as: Lanes.self))
  } store: { result, output in
    store(result, to: output)
  }
}

@inline(__always)
private func requantize<Source: QuantizedLanes, Target: QuantizedLanes>(
  _ row: ElementRow, _ numbers: CenteredElements, _ result: FixedPointResult,
  from _: Source.Type, to _: Target.Type
) {
  let scale = ResultScale<FixedPointScale>(result)
  mapRow(row, inputBytes: Source.elementBytes, outputBytes: Target.elementBytes) { input in
    scale(numbers.load(input, as: Source.self))
  } store: { lanes, output in
    Target.store(lanes, to: output)
  }
}

@inline(__always)
private func rectify(
  _ row: ElementRow, _ kept: FixedPointResult, _ sloped: FixedPointResult, negatesSloped: Bool
) {
  let keptScale = ResultScale<FixedPointScale>(kept)
  let slopedScale = ResultScale<FixedPointScale>(sloped).scale
  let signToggle = SumVector(repeating: negatesSloped ? -1 : 0)
  mapRow(row, inputBytes: 2, outputBytes: 2) { input in
    let numbers = int16sToLanes(input)
    let isNegative = shiftRight(numbers, SumVector(repeating: 31))
    let below = (slopedScale(numbers) ^ signToggle) &- signToggle
    let result = (below & isNegative) | (keptScale.scale(numbers) & ~isNegative)
    return minimum(keptScale.high, maximum(keptScale.low, result))
  } store: { lanes, output in
    storeInt16s(lanes, to: output)
  }
}

/// Quantized elements minus their zero point.
private struct CenteredElements {
  var mask: SumVector
  var zeroPoint: SumVector

  @inline(__always)
  init(_ element: QuantizedElement, zeroPoint: Int32) {
    mask = laneMask(element)
    self.zeroPoint = SumVector(repeating: zeroPoint)
  }

  @inline(__always)
  func load<Lanes: QuantizedLanes>(
    _ address: UnsafeRawPointer, as _: Lanes.Type
  ) -> SumVector {
    Lanes.load(address, mask: mask) &- zeroPoint
  }
}

/// Truncates floats; those from 2³¹ on, and NaN, become the highest integer.
@inline(__always)
private func integersOfFloats(_ input: UnsafeRawPointer) -> SumVector {
  let x = loadFloats(input)
  let limit = FloatVector(repeating: 0x1p31)
  let isInside = asLanes(x .< limit)
  let lowered = maximum(FloatVector.zero - limit, minimum(FloatVector(repeating: 0x1.fffffep30), x))
  return (truncated(lowered) & isInside) | (SumVector(repeating: .max) & ~isInside)
}

/// Converts half-precision floats by moving their bits to the fields of `Float`.
///
/// The exponents' bias differs by 112, which a multiplication corrects, for subnormal numbers too.
@inline(__always)
private func floatsOfHalves(_ input: UnsafeRawPointer) -> FloatVector {
  let halves = int16sToLanes(input)
  let magnitude = (halves & SumVector(repeating: 0x7FFF)) &<< SumVector(repeating: 13)
  let scaled = unsafeBitCast(magnitude, to: FloatVector.self) * FloatVector(repeating: 0x1p112)
  // Infinity and NaN, which have the highest exponent in both formats.
  let isFinite = asLanes(magnitude .< SumVector(repeating: 0x0F80_0000))
  let bits =
    asLanes(scaled) | (SumVector(repeating: 0x7F80_0000) & ~isFinite)
  return unsafeBitCast(bits | (halves & SumVector(repeating: .min)), to: FloatVector.self)
}
