import OcellusKernelABI

func combineIntegers(
  _ function: BinaryIntegerFunction, _ element: PlainElement, _ rows: BinaryRows
) {
  switch element {
  case .bool, .int8, .uint8: combineBytes(function, isSigned: element == .int8, rows)
  case .int16: combineShorts(function, rows)
  case .int64: combineInt64s(function, rows)
  case .int32, .float32: combineSums(function, rows)
  }
}

private func combineSums(_ function: BinaryIntegerFunction, _ rows: BinaryRows) {
  switch function {
  case .add: mapSums(rows) { $0 &+ $1 }
  case .subtract: mapSums(rows) { $0 &- $1 }
  case .multiply: mapSums(rows) { $0 &* $1 }
  case .divide: mapSums(rows, quotient)
  case .floorQuotient: mapSums(rows) { floorDivision($0, $1).quotient }
  case .floorRemainder: mapSums(rows) { floorDivision($0, $1).remainder }
  case .maximum: mapSums(rows) { maximum($0, $1) }
  case .minimum: mapSums(rows) { minimum($0, $1) }
  }
}

private func combineInt64s(_ function: BinaryIntegerFunction, _ rows: BinaryRows) {
  switch function {
  case .add: mapInt64s(rows) { $0 &+ $1 }
  case .subtract: mapInt64s(rows) { $0 &- $1 }
  case .multiply: mapInt64s(rows) { $0 &* $1 }
  // The planner uses these for 32-bit integers only.
  case .divide, .floorQuotient, .floorRemainder: break
  case .maximum: mapInt64s(rows) { select(isLess($0, $1), $1, $0) }
  case .minimum: mapInt64s(rows) { select(isLess($0, $1), $0, $1) }
  }
}

/// Computes maxima and minima; other functions of 16-bit integers are quantized.
private func combineShorts(_ function: BinaryIntegerFunction, _ rows: BinaryRows) {
  if function == .maximum {
    mapShorts(rows) { maximum($0, $1) }
  } else {
    mapShorts(rows) { minimum($0, $1) }
  }
}

private func combineBytes(
  _ function: BinaryIntegerFunction, isSigned: Bool, _ rows: BinaryRows
) {
  // Toggling the sign bits makes the unsigned order that of signed numbers. Inverting all bits
  // after that reverses the order, so a maximum becomes a minimum.
  let highest = isSigned ? Int32(bitPattern: 0x8080_8080) : 0
  let signToggle = SumVector(repeating: function == .maximum ? highest : ~highest)
  mapRows(rows, elementBytes: 1, lanes: sumVectorBytes) { first, second in
    maximumOfBytes(loadSums(first) ^ signToggle, loadSums(second) ^ signToggle, isSigned: false)
      ^ signToggle
  } store: { result, output in
    store(result, to: output)
  }
}

/// Returns truncated quotients, computed in double precision.
///
/// This is exact, because a fractional quotient differs from all integers by at least the
/// reciprocal of the divisor.
@inline(__always)
private func quotient(_ a: SumVector, _ b: SumVector) -> SumVector {
  let (dividends, divisors) = (doubles(a), doubles(b))
  return truncated(low: dividends.low / divisors.low, high: dividends.high / divisors.high)
}

/// Returns the quotients rounded down, with their remainders.
@inline(__always)
private func floorDivision(
  _ a: SumVector, _ b: SumVector
) -> (quotient: SumVector, remainder: SumVector) {
  let quotient = quotient(a, b)
  let remainder = a &- quotient &* b
  // All ones, which is -1, if the remainder is not zero and its sign differs from the divisor's.
  let isNotZero = remainder | (SumVector() &- remainder)
  let isAbove = shiftRight((remainder ^ b) & isNotZero, SumVector(repeating: 31))
  return (quotient &+ isAbove, remainder &+ (b & isAbove))
}

@inline(__always)
private func mapSums(_ rows: BinaryRows, _ function: (SumVector, SumVector) -> SumVector) {
  mapRows(rows, elementBytes: 4) { first, second in
    function(loadSums(first), loadSums(second))
  } store: { result, output in
    store(result, to: output)
  }
}

@inline(__always)
private func mapInt64s(_ rows: BinaryRows, _ function: (WideVector, WideVector) -> WideVector) {
  mapRows(rows, elementBytes: 8, lanes: WideVector.scalarCount) { first, second in
    function(loadWide(first), loadWide(second))
  } store: { result, output in
    store(result, to: output)
  }
}

@inline(__always)
private func mapShorts(_ rows: BinaryRows, _ function: (SumVector, SumVector) -> SumVector) {
  mapRows(rows, elementBytes: 2) { first, second in
    function(int16sToLanes(first), int16sToLanes(second))
  } store: { result, output in
    storeInt16s(result, to: output)
  }
}

/// Selects lanes of `a` where `choice` is all ones, and of `b` where it is zero.
@inline(__always)
private func select(_ choice: WideVector, _ a: WideVector, _ b: WideVector) -> WideVector {
  b ^ ((a ^ b) & choice)
}

// MARK: Comparisons

/// Stores a byte per element: whether the relation holds, negated if wanted.
func compare(
  _ relation: Relation, isNegated: Bool, _ element: PlainElement, _ rows: BinaryRows
) {
  let isTrue = SumVector(repeating: isNegated ? 0 : 1)
  switch element {
  case .float32: compareFloats(relation, isTrue, rows)
  case .int64: compareInt64s(relation, isTrue, rows)
  case .int32: compareLanes(relation, isTrue, rows, as: SumLanes.self, SumVector(repeating: -1))
  case .int16:
    compareLanes(relation, isTrue, rows, as: ShortLanes.self, SumVector(repeating: -1))
  case .bool, .int8, .uint8:
    compareLanes(
      relation, isTrue, rows, as: ByteLanes.self,
      SumVector(repeating: element == .int8 ? -1 : 0xFF))
  }
}

private func compareFloats(_ relation: Relation, _ isTrue: SumVector, _ rows: BinaryRows) {
  switch relation {
  case .equal: mapTruth(rows, 4, isTrue) { asLanes(loadFloats($0) .== loadFloats($1)) }
  case .less: mapTruth(rows, 4, isTrue) { asLanes(loadFloats($0) .< loadFloats($1)) }
  case .lessOrEqual: mapTruth(rows, 4, isTrue) { asLanes(loadFloats($0) .<= loadFloats($1)) }
  }
}

@inline(__always)
private func compareLanes<Lanes: QuantizedLanes>(
  _ relation: Relation, _ isTrue: SumVector, _ rows: BinaryRows, as _: Lanes.Type,
  _ mask: SumVector
) {
  let bytes = Lanes.elementBytes
  switch relation {
  case .equal:
    mapTruth(rows, bytes, isTrue) {
      asLanes(Lanes.load($0, mask: mask) .== Lanes.load($1, mask: mask))
    }
  case .less:
    mapTruth(rows, bytes, isTrue) {
      asLanes(Lanes.load($0, mask: mask) .< Lanes.load($1, mask: mask))
    }
  case .lessOrEqual:
    mapTruth(rows, bytes, isTrue) {
      asLanes(Lanes.load($0, mask: mask) .<= Lanes.load($1, mask: mask))
    }
  }
}

private func compareInt64s(_ relation: Relation, _ isTrue: SumVector, _ rows: BinaryRows) {
  switch relation {
  case .equal: mapInt64Truth(rows, isTrue) { unsafeBitCast($0 .== $1, to: WideVector.self) }
  case .less: mapInt64Truth(rows, isTrue, isLess)
  case .lessOrEqual: mapInt64Truth(rows, isTrue) { unsafeBitCast($0 .<= $1, to: WideVector.self) }
  }
}

@inline(__always)
private func isLess(_ a: WideVector, _ b: WideVector) -> WideVector {
  unsafeBitCast(a .< b, to: WideVector.self)
}

/// Stores the truth of a relation, from lanes that are all ones if it holds, else zero.
@inline(__always)
private func mapTruth(
  _ rows: BinaryRows, _ elementBytes: Int, _ isTrue: SumVector,
  _ holds: (UnsafeRawPointer, UnsafeRawPointer) -> SumVector
) {
  mapRows(rows, elementBytes: elementBytes, resultBytes: 1) { first, second in
    holds(first, second)
  } store: { lanes, output in
    // The sum is 0 if the relation holds, else 1; the XOR gives the byte to store.
    storeBytes((lanes &+ SumVector(repeating: 1)) ^ isTrue, to: output)
  }
}

@inline(__always)
private func mapInt64Truth(
  _ rows: BinaryRows, _ isTrue: SumVector, _ holds: (WideVector, WideVector) -> WideVector
) {
  let half = MemoryLayout<WideVector>.size
  mapTruth(rows, 8, isTrue) { first, second in
    // A broadcast element is repeated in one vector only.
    let (low, high) = (
      holds(loadWide(first), loadWide(second)),
      holds(
        loadWide(rows.firstIsScalar ? first : first + half),
        loadWide(rows.secondIsScalar ? second : second + half))
    )
    return lowerHalves(low, high)
  }
}
