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
  let constant = SumVector(repeating: sum.constant)
  let shift = SumVector(repeating: sum.shift)
  let low = SumVector(repeating: sum.minimum), high = SumVector(repeating: sum.maximum)
  let mask = laneMask(sum.element)
  mapRows(rows, elementBytes: 1) { first, second in
    let a = ByteLanes.load(first, mask: mask) &* firstFactor
    let b = ByteLanes.load(second, mask: mask) &* secondFactor
    return minimum(high, maximum(low, shiftRight(a &+ b &+ constant, shift)))
  } store: { lanes, output in
    storeBytes(lanes, to: output)
  }
}

func multiplyQuantized(_ product: QuantizedProduct, _ rows: BinaryRows) {
  switch (product.element, product.result.isBounded) {
  case (.int16, _): multiply(rows, product, as: ShortLanes.self, by: FixedPointScale.self)
  case (_, true): multiply(rows, product, as: ByteLanes.self, by: BoundedScale.self)
  case (_, false): multiply(rows, product, as: ByteLanes.self, by: FixedPointScale.self)
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
  mapRows(rows, elementBytes: Lanes.elementBytes) { first, second in
    result(
      firstTerm(Lanes.load(first, mask: mask)) &+ secondTerm(Lanes.load(second, mask: mask)))
  } store: { lanes, output in
    Lanes.store(lanes, to: output)
  }
}

@inline(__always)
private func multiply<Lanes: QuantizedLanes, Scale: VectorScale>(
  _ rows: BinaryRows, _ product: QuantizedProduct, as _: Lanes.Type, by _: Scale.Type
) {
  let firstZeroPoint = SumVector(repeating: product.firstZeroPoint)
  let secondZeroPoint = SumVector(repeating: product.secondZeroPoint)
  let result = ResultScale<Scale>(product.result)
  let mask = laneMask(product.element)
  mapRows(rows, elementBytes: Lanes.elementBytes) { first, second in
    let a = Lanes.load(first, mask: mask) &- firstZeroPoint
    let b = Lanes.load(second, mask: mask) &- secondZeroPoint
    return result(a &* b)
  } store: { lanes, output in
    Lanes.store(lanes, to: output)
  }
}

/// A quantized operand in the unit of a sum.
private protocol SumTerm {
  func callAsFunction(_ elements: SumVector) -> SumVector
}

/// An operand whose term is a multiple of it.
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

/// An operand whose term is rounded.
private struct RoundedTerm: SumTerm {
  var whole: WholeTerm
  var fraction: SumVector
  var fractionConstant: SumVector
  var fractionBits: SumVector
  var shift: SumVector
  var half: SumVector
  /// All ones where there is a shift, whose quotient rounds half away from zero.
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
