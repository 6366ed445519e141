import OcellusKernelABI

var elementwise: Elementwise {
  Elementwise(
    floats: { function, range, rows in
      forEachBlock(of: rows, elementBytes: 4) { combineFloats(function, range, $0) }
    },
    integers: { function, element, rows in
      forEachBlock(of: rows, elementBytes: element.byteCount) {
        combineIntegers(function, element, $0)
      }
    },
    comparisons: { relation, isNegated, element, rows in
      forEachBlock(of: rows, elementBytes: element.byteCount, resultBytes: 1) {
        compare(relation, isNegated: isNegated, element, $0)
      }
    },
    mappedFloats: mapFloats, converted: convert,
    quantizedSum: { sum, rows in
      forEachBlock(of: rows, elementBytes: sum.element.byteCount) { addQuantized(sum, $0) }
    },
    linearSum: { sum, rows in forEachBlock(of: rows, elementBytes: 1) { addLinearly(sum, $0) } },
    quantizedProduct: { product, rows in
      forEachBlock(of: rows, elementBytes: product.element.byteCount) {
        multiplyQuantized(product, $0)
      }
    },
    quantizedSquaredDifference: { difference, rows in
      forEachBlock(of: rows, elementBytes: 1) { squareQuantizedDifferences(difference, $0) }
    },
    quantizedRectification: { rectification, rows in
      forEachBlock(of: rows, elementBytes: 1) { rectifyQuantized(rectification, $0) }
    },
    floatScaling: floatScaling,
    softmax: softmax, logSoftmax: logSoftmax, softmaxOfBytes: softmaxOfBytes,
    lookUp: lookUp, prefersAffineTables: prefersAffineTables)
}

private func combineFloats(
  _ function: BinaryFloatFunction, _ range: FloatRange, _ rows: BinaryRows
) {
  switch function {
  case .add: mapFloats(rows, range) { $0 + $1 }
  case .subtract: mapFloats(rows, range) { $0 - $1 }
  case .multiply: mapFloats(rows, range) { $0 * $1 }
  case .divide: mapFloats(rows, range) { $0 / $1 }
  case .floorQuotient: mapFloats(rows, range, floorQuotient)
  case .maximum: mapFloats(rows, range) { maximum($0, $1) }
  case .minimum: mapFloats(rows, range) { minimum($0, $1) }
  case .squaredDifference: mapFloats(rows, range, squaredDifference)
  case .rectifyWithSlope: mapFloats(rows, range, rectify)
  }
}

// Named functions are inlined, whereas larger closures would be called for every vector.

@inline(__always)
private func squaredDifference(_ a: FloatVector, _ b: FloatVector) -> FloatVector {
  let difference = a - b
  return difference * difference
}

@inline(__always)
private func floorQuotient(_ a: FloatVector, _ b: FloatVector) -> FloatVector {
  floats(
    roundedDown(doublesOfLowHalf(a) / doublesOfLowHalf(b)),
    roundedDown(doublesOfHighHalf(a) / doublesOfHighHalf(b)))
}

/// Returns the greatest integers not above the numbers; infinity and NaN stay.
@inline(__always)
private func roundedDown(_ x: DoubleVector) -> DoubleVector {
  // All numbers from here on are integers.
  let limit = DoubleVector(repeating: 0x1p51)
  let bits = unsafeBitCast(x, to: WideVector.self)
  let sign = bits & WideVector(repeating: .min)
  let hasFraction = isLess(unsafeBitCast(bits ^ sign, to: DoubleVector.self), limit)
  // Adding this rounds to an integer, because no bits are left for a fraction.
  let shifter = DoubleVector(repeating: 0x1.8p52)
  let nearest = (x + shifter) - shifter
  let one = unsafeBitCast(DoubleVector(repeating: 1), to: WideVector.self)
  let excess = unsafeBitCast(isLess(x, nearest) & one, to: DoubleVector.self)
  // Restores the sign of zero; other numbers have it anyway.
  let lower = unsafeBitCast(nearest - excess, to: WideVector.self) | sign
  return unsafeBitCast((lower & hasFraction) | (bits & ~hasFraction), to: DoubleVector.self)
}

/// Returns all ones in lanes where `a` is less than `b`.
@inline(__always)
private func isLess(_ a: DoubleVector, _ b: DoubleVector) -> WideVector {
  unsafeBitCast(a .< b, to: WideVector.self)
}

@inline(__always)
func rectify(_ x: FloatVector, slope: FloatVector) -> FloatVector {
  select(isNegative(x), x * slope, x)
}

@inline(__always)
private func mapFloats(
  _ rows: BinaryRows, _ range: FloatRange,
  _ function: (FloatVector, FloatVector) -> FloatVector
) {
  let low = FloatVector(repeating: range.lowerBound)
  let high = FloatVector(repeating: range.upperBound)
  guard rows.rowLength >= FloatVector.scalarCount else {
    return mapRows(rows, elementBytes: 4) { first, second in
      clamp(function(loadFloats(first), loadFloats(second)), low, high)
    } store: { result, output in
      store(result, to: output)
    }
  }
  for row in 0..<rows.rowCount {
    let first = rows.first + row &* rows.firstStride
    let second = rows.second + row &* rows.secondStride
    let output = rows.output + row &* rows.rowLength &* 4
    @inline(__always)
    func map(_ operands: (_ offset: Int) -> (FloatVector, FloatVector)) {
      mapElementsByFours(count: rows.rowLength, lanes: FloatVector.scalarCount) { index in
        let (a, b) = operands(index &* 4)
        return clamp(function(a, b), low, high)
      } store: { result, index in
        store(result, to: output + index &* 4)
      }
    }
    // A broadcast element stays in a register.
    if rows.firstIsScalar {
      let repeated = FloatVector(repeating: loadFloat(first))
      if rows.secondIsScalar {
        let other = FloatVector(repeating: loadFloat(second))
        map { _ in (repeated, other) }
      } else {
        map { (repeated, loadFloats(second + $0)) }
      }
    } else if rows.secondIsScalar {
      let repeated = FloatVector(repeating: loadFloat(second))
      map { (loadFloats(first + $0), repeated) }
    } else {
      map { (loadFloats(first + $0), loadFloats(second + $0)) }
    }
  }
}

/// Sets the sign bit of lanes below zero, but not of -0; that of NaN is arbitrary.
///
/// The standard library would compare vectors of floats lane by lane.
@inline(__always)
func isNegative(_ x: FloatVector) -> SumVector {
  let bits = asLanes(x)
  return bits & (bits &- SumVector(repeating: 1))
}
