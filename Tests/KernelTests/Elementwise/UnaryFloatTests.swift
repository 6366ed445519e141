import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform
import OcellusTestSupport
import Testing

private let leastNormal = Double(Float.leastNormalMagnitude)

/// The logistic function of the reference kernel, including its cutoffs.
private func sigmoid(_ x: Float) -> Float {
  x > 16.619047 ? 1 : x < -9 ? expf(x) : 1 / (1 + expf(-x))
}

/// The nearest finite number; NaN stays NaN.
private func finite(_ x: Float) -> Float {
  x.isInfinite ? Float(signOf: x, magnitudeOf: .greatestFiniteMagnitude) : x
}

@Suite struct UnaryFloatTests {
  /// Zeros, subnormal numbers, infinities, NaN, the limits of exponentials, and numbers of all
  /// magnitudes.
  private static let arguments: [Float] = {
    var random = SeededGenerator(seed: 6)
    let special: [Float] = [
      0, -0, .nan, -.nan, .infinity, -.infinity, 1, -1, 6, 7,
      Float(sign: .plus, exponent: -140, significand: 1),
      Float(sign: .minus, exponent: -140, significand: 1), 3.4e38, -3.4e38, 88.7, 88.8,
      -87, -87.5, -103, -104, -105, -9, -8.99, 16.7, -3, 3, 0.5, -0.5, 1e-7, -1e-7,
    ]
    let others = random.floats(4000).enumerated().map { index, x in
      x * [1e-6, 0.01, 1, 10, 100][index % 5]
    }
    return special + others
  }()

  private func results(
    _ function: UnaryFloatFunction, of numbers: [Float] = arguments, table: Int
  ) -> [Float] {
    let input = GuardedMemory(numbers)
    let output = GuardedMemory<Float>(count: input.count, filledWith: 99)
    tables[table].elementwise.mappedFloats(
      function, ElementRow(input: input.start, output: output.start, count: input.count))
    return output.elements
  }

  @Test(arguments: tables.indices)
  func exactFunctions(table: Int) {
    let functions: [(UnaryFloatFunction, (Float) -> Float)] = [
      (.clamp(FloatRange(lowerBound: 0, upperBound: 6)), { $0 > 6 ? 6 : $0 < 0 ? 0 : $0 }),
      (.rectify(slope: 0.3), { $0 > 0 ? $0 : $0 * 0.3 }), (.negate, { -$0 }),
      (.magnitude, { abs($0) }), (.square, { $0 * $0 }), (.squareRoot, { $0.squareRoot() }),
      (.reciprocalSquareRoot, { 1 / $0.squareRoot() }),
      (.hardSwish(.fast), { $0 * min(6, max(0, $0 + 3)) / 6 }),
      (.power(1), { $0 }), (.power(2), { finite($0 * $0) }),
      (.power(3), { finite(finite($0 * $0) * $0) }),
      // 13 is 1101 in binary: squared and multiplied, squared, squared and multiplied.
      (
        .power(13),
        { x in
          let third = finite(finite(x * x) * x)
          let sixth = finite(third * third)
          return finite(finite(sixth * sixth) * x)
        }
      ),
      (.sign, { $0 > 0 ? 1 : $0 < 0 ? -1 : $0 }),
      (
        .roundToSteps(FloatRange(lowerBound: -1.5, upperBound: 6), step: 0.03),
        { x in
          let above = (x.isNaN ? -1.5 : min(6, max(-1.5, x))) as Float + 1.5
          return (above * (1 / 0.03)).rounded(.toNearestOrAwayFromZero) * 0.03 - 1.5
        }
      ),
    ]
    for (function, expected) in functions {
      let want = Self.arguments.map(expected)
      let got = results(function, table: table)
      let differ = got.indices.first { got[$0] != want[$0] && !(got[$0].isNaN && want[$0].isNaN) }
      #expect(differ == nil, "\(function) of \(differ.map { Self.arguments[$0] } ?? 0)")
    }
  }

  /// All significands with an even and an odd exponent, because other exponents scale roots by
  /// powers of two; at all other exponents, only significands that end in zeros.
  @Test(arguments: tables.indices)
  func rootsOfAllSignificands(table: Int) {
    let count = 1 << 16
    var input = [Float](repeating: 0, count: count)
    var output = input
    func check(_ first: UInt32, step: UInt32) {
      for index in 0..<count {
        input[index] = Float(bitPattern: first + UInt32(index) * step)
      }
      for (function, isReciprocal) in [
        (UnaryFloatFunction.squareRoot, false), (.reciprocalSquareRoot, true),
      ] {
        // The second pass begins within a group of four 16-lane vectors, so elements get other
        // neighbours, which may decide the path of a group.
        for start in [0, 32] {
          for index in start..<count { output[index] = -1 }
          input.withUnsafeBytes { from in
            output.withUnsafeMutableBytes { to in
              guard let from = from.baseAddress, let to = to.baseAddress else { return }
              tables[table].elementwise.mappedFloats(
                function,
                ElementRow(input: from + 4 * start, output: to + 4 * start, count: count - start))
            }
          }
          let wrong = (0..<count).first { index in
            let root = input[index].squareRoot()
            return output[index] != (isReciprocal ? 1 / root : root)
          }
          #expect(wrong == nil, "\(function) of \(wrong.map { input[$0] } ?? 0)")
        }
      }
    }
    for part in 0..<UInt32(256) { check((127 << 23) + part << 16, step: 1) }
    // All exponents but the highest, which is that of infinity.
    for exponent in stride(from: UInt32(0), to: 254, by: 2) { check(exponent << 23, step: 256) }
  }

  @Test(arguments: tables.indices)
  func transcendentalFunctions(table: Int) {
    let functions: [(UnaryFloatFunction, Double, (Double) -> Double)] = [
      (.exponential(.fast), 2, { exp($0) }), (.tanh(.fast), 6, { OcellusPlatform.tanh($0) }),
      (.exponential(.exact), 0.501, { exp($0) }),
      (.logistic(.fast), 3, { $0 < -9 ? exp($0) : 1 / (1 + exp(-$0)) }),
      (.exponentialLinear(.fast), 2, { $0 < 0 ? expm1($0) : $0 }),
    ]
    for (function, tolerance, exact) in functions {
      // Results below the normal numbers may be zero.
      var isFlushing = false
      if case .logistic(.fast) = function { isFlushing = true }
      let got = results(function, table: table)
      for (x, result) in zip(Self.arguments, got) {
        let want = exact(Double(x))
        let unit = max(Double(Float(want).ulp), Double(Float.leastNonzeroMagnitude))
        let isSame =
          want.isNaN
          ? result.isNaN
          : Float(want).isInfinite || abs(want) > 3.4e38
            ? result == Float(want) : abs(Double(result) - want) <= tolerance * unit
        let isFlushed = isFlushing && result == 0 && want < leastNormal
        #expect(isSame || isFlushed, "\(function) of \(x) is \(result), not \(want)")
      }
    }
  }

  /// Exact functions have the bits of the reference kernels, which call libm.
  @Test(arguments: tables.indices)
  func functionsAsLibm(table: Int) {
    let powers = results(.exponential(.exact), table: table)
    let sigmoids = results(.logistic(.exact), table: table)
    for (index, x) in Self.arguments.enumerated() {
      if x.isNaN {
        #expect(powers[index].isNaN && sigmoids[index].isNaN, "\(x)")
        continue
      }
      #expect(powers[index] == expf(x), "exp \(x)")
      #expect(sigmoids[index] == sigmoid(x), "logistic of \(x)")
    }
  }

  /// Exact functions have the bits of libm for samples of every magnitude, because each result may
  /// differ by itself; libm computes some functions in single precision, whose roundings show.
  @Test(arguments: tables.indices)
  func functionsOfAllMagnitudesAsLibm(table: Int) {
    let step = 4_093
    let numbers = stride(from: 0, through: 0x7F80_0000, by: step).flatMap { bits in
      [Float(bitPattern: UInt32(bits)), Float(bitPattern: UInt32(bits) | 0x8000_0000)]
    }
    let input = GuardedMemory(numbers + [.nan, -.infinity])
    let output = GuardedMemory<Float>(count: input.count, filledWith: 99)
    let functions: [(UnaryFloatFunction, (Float) -> Float)] = [
      (.tanh(.exact), { tanhf($0) }), (.exponentialLinear(.exact), { $0 < 0 ? expm1f($0) : $0 }),
      (.exponential(.exact), { expf($0) }), (.logistic(.exact), sigmoid),
      (.sigmoidLinear(.exact), { min($0 * sigmoid($0), .greatestFiniteMagnitude) }),
    ]
    for (function, expected) in functions {
      tables[table].elementwise.mappedFloats(
        function, ElementRow(input: input.start, output: output.start, count: input.count))
      let differ = zip(input.elements, output.elements).first { x, result in
        let want = expected(x)
        return want.isNaN ? !result.isNaN : result.bitPattern != want.bitPattern
      }
      #expect(differ == nil, "\(function)")
    }
  }

  /// The error is within the bounds in the kernel's comment, for every eleventh float up to 16; far
  /// below zero, where one plus the error function vanishes, a tiny absolute error is allowed.
  @Test(arguments: tables.indices)
  func gaussianErrorLinearUnit(table: Int) {
    let magnitudes = stride(from: Float(0x1p-20).bitPattern, through: Float(16).bitPattern, by: 11)
    for sign in [Float(-1), 1] {
      let numbers = magnitudes.map { sign * Float(bitPattern: $0) }
      let differ = zip(numbers, results(.gaussianErrorLinear(.fast), of: numbers, table: table))
        .first {
          x, result in
          let wide = Double(x)
          let want = 0.5 * wide * erfc(-wide * 0.5.squareRoot())
          let error = abs(Double(result) - want)
          let bound = abs(want) * (x < -2.5 ? 3e-6 : 1e-6)
          return !(error <= bound || x < -4 && result <= 0 && error <= 3e-10)
        }
      #expect(differ == nil)
    }
  }

  @Test(arguments: tables.indices)
  func gaussianErrorLinearUnitOfSpecialNumbers(table: Int) {
    for (x, result) in zip(Self.arguments, results(.gaussianErrorLinear(.fast), table: table)) {
      let want = 0.5 * Double(x) * erfc(-Double(x) * 0.5.squareRoot())
      let isNear = abs(Double(result) - want) <= max(abs(want) * 3e-6, 3e-10)
      let isTail = x < -6 && result <= 0 && Double(result) > Double(x) * 1.1e-9
      #expect(want.isNaN ? result.isNaN : x == .infinity ? result == x : isNear || isTail, "\(x)")
    }
  }

  /// The exponential of a number does not depend on its neighbours, even if they overflow,
  /// underflow or are NaN.
  @Test(arguments: tables.indices)
  func exponentialsBesideLargeOnes(table: Int) {
    var random = SeededGenerator(seed: 12)
    let moderate = random.floats(4099).map { $0 * 60 }
    let mixed = moderate.enumerated().map { index, x in
      index % 4 == 1 ? [89, -104, .nan][index % 3] : x
    }
    let alone = results(.exponential(.fast), of: moderate, table: table)
    let besides = results(.exponential(.fast), of: mixed, table: table)
    for index in moderate.indices where index % 4 != 1 {
      #expect(alone[index] == besides[index], "\(moderate[index])")
    }
  }

  /// Hard swish has the bits of a division by six, for samples of every magnitude.
  @Test(arguments: tables.indices)
  func quotientsOfAllMagnitudes(table: Int) {
    let numbers = stride(from: 0, through: 0x7F80_0000, by: 1_021).flatMap { bits in
      [Float(bitPattern: UInt32(bits)), Float(bitPattern: UInt32(bits) | 0x8000_0000)]
    }
    let input = GuardedMemory(numbers + [-.infinity])
    let output = GuardedMemory<Float>(count: input.count, filledWith: 99)
    tables[table].elementwise.mappedFloats(
      .hardSwish(.fast), ElementRow(input: input.start, output: output.start, count: input.count))
    let differ = zip(input.elements, output.elements).first { x, result in
      let want = x * min(6, max(0, x + 3)) / 6
      return want.isNaN ? !result.isNaN : result.bitPattern != want.bitPattern
    }
    #expect(differ == nil)
  }

  @Test(arguments: tables.indices)
  func gaussianLinearUnit(table: Int) {
    for (x, result) in zip(Self.arguments, results(.gaussianLinear(.fast), table: table))
    where x.isFinite {
      let wide = Double(x)
      let gate =
        1 + OcellusPlatform.tanh(0.797_884_560_802_865_4 * (wide + 0.044715 * wide * wide * wide))
      // The sum with one is rounded, so that the error is relative to the argument.
      #expect(abs(Double(result) - wide / 2 * gate) <= abs(wide) * 3e-7, "\(x)")
    }
  }

  @Test(arguments: tables.indices)
  func wholeNumbers(table: Int) {
    let roundings: [(UnaryFloatFunction, FloatingPointRoundingRule)] = [
      (.floor, .down), (.ceiling, .up), (.nearest, .toNearestOrEven),
    ]
    let edges: [Float] = [
      0.5, 1.5, 2.5, 0x1p22 + 0.5, 0x1p23 - 0.5, 0x1p23, 0x1p23 + 1, 0x1p31, 0x1p31 - 128, 0x1p40,
      .leastNonzeroMagnitude, Float(0.5).nextDown, Float(0.5).nextUp,
    ]
    let numbers = edges.flatMap { [$0, -$0] } + Self.arguments
    for (function, rule) in roundings {
      let input = GuardedMemory(numbers)
      let output = GuardedMemory<Float>(count: input.count, filledWith: 99)
      tables[table].elementwise.mappedFloats(
        function, ElementRow(input: input.start, output: output.start, count: input.count))
      let differ = zip(numbers, output.elements).first { x, result in
        x.isNaN ? !result.isNaN : result.bitPattern != x.rounded(rule).bitPattern
      }
      #expect(differ == nil, "\(function)")
    }
  }

  /// Logarithms are accurate to 1.5 ulp at every magnitude.
  @Test(arguments: tables.indices)
  func logarithms(table: Int) {
    let numbers =
      stride(from: 1, through: 0x7F7F_FFFF, by: 65_537).map { Float(bitPattern: UInt32($0)) }
      + (0..<2000).map { 0.5 + Float($0) / 1000 } + Self.arguments
    let input = GuardedMemory(numbers)
    let output = GuardedMemory<Float>(count: input.count, filledWith: 99)
    tables[table].elementwise.mappedFloats(
      .logarithm(.fast), ElementRow(input: input.start, output: output.start, count: input.count))
    let differ = zip(numbers, output.elements).first { x, result in
      let want = OcellusPlatform.log(Double(x))
      if want.isNaN { return !result.isNaN }
      if want.isInfinite { return Double(result) != want }
      return abs(Double(result) - want) > 1.5 * Double(Float(want).ulp)
    }
    #expect(differ == nil)
  }

  /// Sines and cosines are accurate to 1.2e-7 up to `greatestAngle`, and zeros keep their sign.
  @Test(arguments: tables.indices)
  func sinesAndCosines(table: Int) {
    let steps = (-8000...8000).map { Float($0) * 1.0237 }
    let near = (-4000...4000).map { Float($0) / 1000 }
    let numbers =
      (steps + near).filter { abs($0) <= UnaryFloatFunction.greatestAngle } + [0, -0, 1e-30, .nan]
    for (function, truth) in [
      (UnaryFloatFunction.sine(.fast), { (x: Double) in OcellusPlatform.sin(x) }),
      (.cosine(.fast), { OcellusPlatform.cos($0) }),
    ] {
      let input = GuardedMemory(numbers)
      let output = GuardedMemory<Float>(count: input.count, filledWith: 99)
      tables[table].elementwise.mappedFloats(
        function, ElementRow(input: input.start, output: output.start, count: input.count))
      let differ = zip(numbers, output.elements).first { x, result in
        let want = truth(Double(x))
        if want.isNaN { return !result.isNaN }
        return abs(Double(result) - want) > 1.2e-7 || x == 0 && result.sign != Float(want).sign
      }
      #expect(differ == nil, "\(function)")
    }
  }

  /// Instruction sets with fused multiply-add must agree in every bit.
  @Test func instructionSetsAgree() throws {
    let fused = tables.indices.filter { tables[$0].name != "baseline" }
    let functions: [UnaryFloatFunction] = [
      .exponential(.fast), .exponential(.exact), .logistic(.fast), .logistic(.exact),
      .sigmoidLinear(.fast), .sigmoidLinear(.exact), .tanh(.fast), .tanh(.exact),
      .exponentialLinear(.fast), .exponentialLinear(.exact), .gaussianLinear(.fast),
      .gaussianErrorLinear(.fast), .sine(.fast), .cosine(.fast), .logarithm(.fast),
    ]
    let ofLiteRT = LiteRTProcessor.allCases.flatMap { processor -> [UnaryFloatFunction] in
      let numerics = Numerics.litert(processor)
      return [
        .exponential(numerics), .logistic(numerics), .sigmoidLinear(numerics), .tanh(numerics),
        .exponentialLinear(numerics), .gaussianLinear(numerics), .gaussianErrorLinear(numerics),
        .hardSwish(numerics), .sine(numerics), .cosine(numerics), .logarithm(numerics),
      ]
    }
    for function in functions + ofLiteRT {
      let all = fused.map { results(function, table: $0).map(\.bitPattern) }
      let agree = all.allSatisfy { $0 == all[0] }
      #expect(agree, "\(function)")
    }
  }

  @Test(arguments: tables.indices)
  func shortArraysAndArraysInPlace(table: Int) {
    for count in awkwardSizes {
      let values = Array(Self.arguments.suffix(count))
      let array = GuardedMemory(values)
      tables[table].elementwise.mappedFloats(
        .clamp(FloatRange(lowerBound: -0.5, upperBound: 2)),
        ElementRow(input: array.start, output: array.start, count: count))
      #expect(array.elements == values.map { min(max($0, -0.5), 2) }, "\(count)")
    }
  }

  /// Lengths need four vectors at a time, single vectors and a remainder; no access is out of
  /// bounds.
  @Test(arguments: tables.indices)
  func arraysOfAnyLengthInPlace(table: Int) {
    for count in awkwardSizes {
      let values = (0..<count).map { (index: Int) -> Float in Float(index * 7919 % 401 - 200) / 10 }
      let array = GuardedMemory(values)
      tables[table].elementwise.mappedFloats(
        .logistic(.exact), ElementRow(input: array.start, output: array.start, count: count))
      let wanted = values.map(sigmoid)
      #expect(array.elements == wanted, "\(count)")
    }
  }
}
