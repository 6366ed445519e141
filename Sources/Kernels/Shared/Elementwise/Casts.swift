import OcellusKernelABI

/// Casts an array by way of 32-bit lanes, a slice at a time.
///
/// This takes one loop per source or target type instead of one per pair of types.
func cast(_ row: ElementRow, from source: PlainElement, to target: PlainElement) {
  // `Int32` elements already are such lanes.
  if source == .int32 { return narrow(row, target) }
  let chunkLength = 256
  let (sourceBytes, targetBytes) = (source.byteCount, target.byteCount)
  let limits = CastLimits(of: target)
  withUnsafeTemporaryAllocation(byteCount: chunkLength &* 4, alignment: 16) { memory in
    let lanes = memory.baseAddress.unsafelyUnwrapped
    var start = 0
    while start < row.count {
      let count = smaller(chunkLength, row.count &- start)
      widen(
        ElementRow(input: row.input + start &* sourceBytes, output: lanes, count: count), source,
        limits)
      narrow(
        ElementRow(
          input: UnsafeRawPointer(lanes), output: row.output + start &* targetBytes, count: count),
        target)
      start &+= count
    }
  }
}

/// The limits to which floats are clamped before they are cast; for Booleans there are none.
private struct CastLimits {
  var low: Float = 0
  var high: Float = 0
  var isTruth: Bool

  init(of target: PlainElement) {
    isTruth = target == .bool
    switch target {
    case .int8: (low, high) = (-128, 127)
    case .uint8: (low, high) = (0, 255)
    case .int16: (low, high) = (-32768, 32767)
    default: break
    }
  }
}

private func widen(_ row: ElementRow, _ source: PlainElement, _ limits: CastLimits) {
  switch source {
  case .float32 where limits.isTruth:
    mapLanes(row, 4) { nonZeroLanes(integerBits(magnitude(loadFloats($0)))) }
  case .float32:
    let low = FloatVector(repeating: limits.low), high = FloatVector(repeating: limits.high)
    // NaN becomes the upper limit.
    mapLanes(row, 4) { truncated(maximum(minimum(loadFloats($0), high), low)) }
  case .bool: mapLanes(row, 1) { truth(loadSignedBytes($0)) }
  case .int8: mapLanes(row, 1) { loadSignedBytes($0) }
  case .uint8: mapLanes(row, 1) { loadSignedBytes($0) & 0xFF }
  case .int16: mapLanes(row, 2, int16sToLanes)
  case .int32: mapLanes(row, 4, loadSums)
  case .int64:
    mapLanes(row, 8) {
      lowerHalves(loadWide($0), loadWide($0 + MemoryLayout<WideVector>.size))
    }
  }
}

private func narrow(_ row: ElementRow, _ target: PlainElement) {
  switch target {
  case .float32: storeLanes(row, 4) { store(floats($0), to: $1) }
  case .bool: storeLanes(row, 1) { storeBytes(truth($0), to: $1) }
  case .int8, .uint8: storeLanes(row, 1) { storeBytes($0 & 0xFF, to: $1) }
  case .int16: storeLanes(row, 2) { storeInt16s(($0 &<< 16) &>> 16, to: $1) }
  case .int32: storeLanes(row, 4) { store($0, to: $1) }
  case .int64:
    let output = row.output.assumingMemoryBound(to: Int64.self)
    for index in 0..<row.count {
      output[index] = Int64(loadInt32(row.input + index &* 4))
    }
  }
}

/// Returns 1 in lanes that are not zero.
@inline(__always)
private func truth(_ lanes: SumVector) -> SumVector { nonZeroLanes(lanes) & 1 }

/// Returns the lower 32 bits of the lanes of two vectors.
@inline(__always)
func lowerHalves(_ first: WideVector, _ second: WideVector) -> SumVector {
  SumVector(lowHalf: asLanes(first).evenHalf, highHalf: asLanes(second).evenHalf)
}

@inline(__always)
private func mapLanes(
  _ row: ElementRow, _ elementBytes: Int, _ load: (UnsafeRawPointer) -> SumVector
) {
  mapRow(row, inputBytes: elementBytes, outputBytes: 4, compute: load) { lanes, output in
    store(lanes, to: output)
  }
}

@inline(__always)
private func storeLanes(
  _ row: ElementRow, _ elementBytes: Int, _ store: (SumVector, UnsafeMutableRawPointer) -> Void
) {
  mapRow(row, inputBytes: 4, outputBytes: elementBytes, compute: loadSums, store: store)
}
