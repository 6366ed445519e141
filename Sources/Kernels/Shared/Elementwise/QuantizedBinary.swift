import OcellusKernelABI

func addQuantized(_ sum: QuantizedSum, _ rows: BinaryRows) {
  switch (sum.element, sum.result.isBounded) {
  case (.int16, _): add(rows, sum, as: ShortLanes.self, by: FixedPointScale.self)
  case (_, true): add(rows, sum, as: ByteLanes.self, by: BoundedScale.self)
  case (_, false): add(rows, sum, as: ByteLanes.self, by: FixedPointScale.self)
  }
}

func addLinearly(_ sum: LinearSum, _ rows: BinaryRows) {
  let firstFactor = SumVector(repeating: sum.firstFactor)
  let secondFactor = SumVector(repeating: sum.secondFactor)
  let shift = SumVector(repeating: sum.shift)
  let mask = laneMask(sum.element)
  let range = QuantizedRange(zeroPoint: 0, minimum: sum.minimum, maximum: sum.maximum)
  mapRows(rows, range, as: ByteLanes.self, byFours: true) { second in
    ByteLanes.load(second, mask: mask) &* secondFactor
  } compute: { first, b, offset in
    let a = ByteLanes.load(first, mask: mask) &* firstFactor
    let constant = SumVector(repeating: sum.constant &- offset &<< sum.shift)
    return shiftRight(a &+ b &+ constant, shift)
  }
}

func multiplyQuantized(_ product: QuantizedProduct, _ rows: BinaryRows) {
  let result = product.result
  switch product.element {
  case .int16:
    multiply(rows, product, as: ShortLanes.self, by: ResultScale<FixedPointScale>.self)
  case .int8 where result.inFloats != nil:
    multiply(rows, product, as: SignedByteLanes.self, by: FloatScale.self)
  case .uint8 where result.inFloats != nil:
    multiply(rows, product, as: ByteLanes.self, by: FloatScale.self)
  case _ where result.isBounded:
    multiply(rows, product, as: ByteLanes.self, by: ResultScale<BoundedScale>.self)
  // Products of bytes have 17 bits.
  case _ where result.exponent >= 0 && result.exponent <= 12:
    multiply(rows, product, as: ByteLanes.self, by: ResultScale<LeftScale>.self)
  default:
    multiply(rows, product, as: ByteLanes.self, by: ResultScale<FixedPointScale>.self)
  }
}

func rectifyQuantized(_ rectification: QuantizedRectification, _ rows: BinaryRows) {
  let (kept, sloped) = (rectification.kept, rectification.sloped)
  if kept.inFloats != nil && sloped.inFloats != nil {
    rectify(rows, rectification, by: FloatScale.self)
  } else if kept.isBounded && sloped.isBounded {
    rectify(rows, rectification, by: ResultScale<BoundedScale>.self)
  } else {
    rectify(rows, rectification, by: ResultScale<FixedPointScale>.self)
  }
}

func squareQuantizedDifferences(_ difference: QuantizedSquaredDifference, _ rows: BinaryRows) {
  let firstZeroPoint = SumVector(repeating: difference.firstZeroPoint)
  let secondZeroPoint = SumVector(repeating: difference.secondZeroPoint)
  let spareBits = SumVector(repeating: difference.spareBits)
  let first = ResultScale<FixedPointScale>(difference.first).scale
  let second = ResultScale<FixedPointScale>(difference.second).scale
  let result = ResultScale<FixedPointScale>(difference.result)
  mapRows(rows, difference.result.range, as: ByteLanes.self, byFours: false) { address in
    second(shiftLeft(loadSignedBytes(address) &- secondZeroPoint, spareBits))
  } compute: { address, b, offset in
    let a = first(shiftLeft(loadSignedBytes(address) &- firstZeroPoint, spareBits))
    return result.scaled((a &- b) &* (a &- b), offset: offset)
  }
}

@inline(__always)
private func rectify<Scaling: ResultScaling>(
  _ rows: BinaryRows, _ rectification: QuantizedRectification, by _: Scaling.Type
) {
  let zeroPoint = SumVector(repeating: rectification.zeroPoint)
  let slopeZeroPoint = SumVector(repeating: rectification.slopeZeroPoint)
  let kept = Scaling(rectification.kept)
  let sloped = Scaling(rectification.sloped)
  let mask = laneMask(rectification.element)
  mapRows(
    rows, rectification.kept.range, as: ByteLanes.self, byFours: Scaling.isFrequent
  ) { second in
    ByteLanes.load(second, mask: mask) &- slopeZeroPoint
  } compute: { first, slope, offset in
    let number = ByteLanes.load(first, mask: mask) &- zeroPoint
    let product = number &* slope
    let isNegative = shiftRight(number, SumVector(repeating: 31))
    return (sloped.scaled(product, offset: offset) & isNegative)
      | (kept.scaled(number, offset: offset) & ~isNegative)
  }
}

@inline(__always)
private func add<Lanes: QuantizedLanes, Scale: VectorScale>(
  _ rows: BinaryRows, _ sum: QuantizedSum, as _: Lanes.Type, by _: Scale.Type
) {
  if sum.second.fraction == 0 && sum.second.shift == 0 {
    add(rows, sum, WholeTerm(sum.second), as: Lanes.self, by: Scale.self)
  } else {
    add(rows, sum, RoundedTerm(sum.second), as: Lanes.self, by: Scale.self)
  }
}

@inline(__always)
private func add<Lanes: QuantizedLanes, Scale: VectorScale, Term: SumTerm>(
  _ rows: BinaryRows, _ sum: QuantizedSum, _ secondTerm: Term, as _: Lanes.Type,
  by _: Scale.Type
) {
  let firstTerm = WholeTerm(sum.first)
  let result = ResultScale<Scale>(sum.result)
  let mask = laneMask(sum.element)
  mapRows(rows, sum.result.range, as: Lanes.self, byFours: Scale.isBounded) { second in
    secondTerm(Lanes.load(second, mask: mask))
  } compute: { first, b, offset in
    result.scaled(firstTerm(Lanes.load(first, mask: mask)) &+ b, offset: offset)
  }
}

@inline(__always)
private func multiply<Lanes: QuantizedLanes, Scaling: ResultScaling>(
  _ rows: BinaryRows, _ product: QuantizedProduct, as _: Lanes.Type, by _: Scaling.Type
) {
  let firstZeroPoint = SumVector(repeating: product.firstZeroPoint)
  let secondZeroPoint = SumVector(repeating: product.secondZeroPoint)
  let result = Scaling(product.result)
  let mask = laneMask(product.element)
  mapRows(rows, product.result.range, as: Lanes.self, byFours: Scaling.isFrequent) { second in
    Lanes.load(second, mask: mask) &- secondZeroPoint
  } compute: { first, b, offset in
    let a = Lanes.load(first, mask: mask) &- firstZeroPoint
    return result.scaled(a &* b, offset: offset)
  }
}

/// Applies a function of vectors to rows of quantized operands, and clamps its results.
///
/// With `byFours`, a literal at every call, it narrows four vectors of bytes at once, which rare
/// functions do without, because the code for it is long. For a broadcast second element, `prepare`
/// is then called once per row. `compute` subtracts `offset` from its results: 128 from those of
/// unsigned bytes, if four vectors are narrowed to signed bytes at once.
@inline(__always)
private func mapRows<Lanes: QuantizedLanes>(
  _ rows: BinaryRows, _ range: QuantizedRange, as _: Lanes.Type, byFours: Bool,
  prepare: (_ second: UnsafeRawPointer) -> SumVector,
  compute: (_ first: UnsafeRawPointer, _ second: SumVector, _ offset: Int32) -> SumVector
) {
  let lanes = SumVector.scalarCount
  guard byFours, Lanes.elementBytes == 1, rows.rowLength >= 4 &* lanes else {
    let low = SumVector(repeating: range.minimum), high = SumVector(repeating: range.maximum)
    return mapRows(rows, elementBytes: Lanes.elementBytes) { first, second in
      minimum(high, maximum(low, compute(first, prepare(second), 0)))
    } store: { results, output in
      Lanes.store(results, to: output)
    }
  }
  let bytes = ByteRange(range)
  let offset = range.narrowingOffset
  forEachRow(rows, elementBytes: 1, resultBytes: 1) {
    firstRow, firstStep, secondRow, secondStep, output in
    @inline(__always)
    func results(_ index: Int, _ isHalf: Bool, _ second: (_ index: Int) -> SumVector) -> SumVector {
      @inline(__always)
      func vector(_ number: Int) -> SumVector {
        let index = index &+ number &* lanes
        return compute(firstRow + index &* firstStep, second(index), offset)
      }
      let a = vector(0), b = vector(1)
      return isHalf ? bytes.narrow(a, b, a, b) : bytes.narrow(a, b, vector(2), vector(3))
    }
    @inline(__always)
    func map(_ second: (_ index: Int) -> SumVector) {
      mapElements(count: rows.rowLength, lanes: 4 &* lanes) { index, isHalf in
        results(index, isHalf, second)
      } store: { results, index in
        store(results, to: output + index)
      } storeHalf: { results, index in
        storeLowHalf(results, to: output + index)
      }
    }
    if secondStep == 0 {
      let repeated = prepare(secondRow)
      map { _ in repeated }
    } else {
      map { prepare(secondRow + $0) }
    }
  }
}

/// A quantized operand in the unit of a sum.
private protocol SumTerm {
  func callAsFunction(_ elements: SumVector) -> SumVector
}

/// A term with an integral factor.
private struct WholeTerm: SumTerm {
  var factor: SumVector
  var constant: SumVector

  @inline(__always)
  init(_ term: QuantizedSumTerm) {
    factor = SumVector(repeating: term.factor)
    constant = SumVector(repeating: term.constant)
  }

  @inline(__always)
  func callAsFunction(_ elements: SumVector) -> SumVector { elements &* factor &+ constant }
}

/// A term with a fractional factor, which is rounded.
private struct RoundedTerm: SumTerm {
  var whole: WholeTerm
  var fraction: SumVector
  var fractionConstant: SumVector
  var fractionBits: SumVector
  var shift: SumVector
  var half: SumVector
  /// All ones if there is a shift, whose quotient is rounded half away from zero.
  var rounding: SumVector

  @inline(__always)
  init(_ term: QuantizedSumTerm) {
    whole = WholeTerm(term)
    fraction = SumVector(repeating: term.fraction)
    fractionConstant = SumVector(repeating: term.fractionConstant)
    fractionBits = SumVector(repeating: term.fractionBits)
    shift = SumVector(repeating: term.shift)
    half = SumVector(repeating: term.shift > 0 ? 1 &<< (term.shift &- 1) : 0)
    rounding = SumVector(repeating: term.shift > 0 ? -1 : 0)
  }

  @inline(__always)
  func callAsFunction(_ elements: SumVector) -> SumVector {
    let behindPoint = shiftRight(elements &* fraction &+ fractionConstant, fractionBits)
    let product = whole(elements) &+ behindPoint
    let sign = shiftRight(product, SumVector(repeating: 31)) & rounding
    return shiftRight(product &+ half &+ sign, shift)
  }
}
