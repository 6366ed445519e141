import OcellusKernelABI

extension GuardedEntry {
  static let elementwise: [GuardedEntry] =
    binary + unary + [
      GuardedEntry("elementwise.softmax", problems: 120) { table, operands in
        table.elementwise.softmax(operands.softmaxRows(beta: operands.choice([1, 0.3])))
      },
      GuardedEntry("elementwise.logSoftmax", problems: 120) { table, operands in
        table.elementwise.logSoftmax(operands.softmaxRows(beta: 1))
      },
      GuardedEntry("elementwise.softmaxOfBytes", problems: 200) { table, operands in
        let length = operands.size("length", 1...200)
        let rows = operands.size("rows", 1...40)
        // The table halves every eight entries, as a table of exponentials does.
        let exponentials = (0..<256).map { Int32.max >> Int32(min($0 / 8, 31)) }
        table.elementwise.softmaxOfBytes(
          ByteSoftmaxArguments(
            input: operands.bits("input", byteCount: length * rows),
            output: operands.result("output", byteCount: length * rows), rowLength: length,
            rowCount: rows, isSigned: operands.bool(),
            exponentials: operands.values("exponentials", exponentials),
            scratch: operands.scratch(
              "scratch", byteCount: ByteSoftmaxArguments.scratchByteCount(rowLength: length))))
      },
      GuardedEntry("elementwise.lookUp", problems: 150) { table, operands in
        let count = operands.size("count", 1...300)
        let function = AffineTable.Function(multiplier: 77, offset: 3)
        let affineTable = AffineTable(
          function: function, functionBelow: function, bend: operands.bool() ? 3 : nil, fraction: 4,
          shift: 3,
          minimum: -128, maximum: 127, argumentSignToggle: 0, entrySignToggle: 0)
        table.elementwise.lookUp(
          LookUpArguments(
            input: operands.integers("input", count: count),
            table: operands.integers("table", count: 256),
            affineTable: operands.bool() ? affineTable : nil,
            output: operands.result("output", count: count), count: count))
      },
    ]

  private static let binary: [GuardedEntry] = [
    GuardedEntry("elementwise.floats", problems: 200) { table, operands in
      let function = operands.choice(
        [
          .add, .subtract, .multiply, .divide, .floorQuotient, .maximum, .minimum,
          .squaredDifference, .rectifyWithSlope,
        ] as [BinaryFloatFunction])
      table.elementwise.floats(
        function, FloatRange(lowerBound: -3, upperBound: 6), operands.binaryRows(isFloat: true, 4))
    },
    GuardedEntry("elementwise.integers", problems: 300) { table, operands in
      let element = operands.choice([.int8, .uint8, .int16, .int32, .int64] as [PlainElement])
      let few: [BinaryIntegerFunction] = [.add, .subtract, .multiply, .maximum, .minimum]
      let function = operands.choice(
        element == .int64 ? few : few + [.divide, .floorQuotient, .floorRemainder])
      table.elementwise.integers(function, element, operands.binaryRows(element.byteCount))
    },
    GuardedEntry("elementwise.comparisons", problems: 300) { table, operands in
      let element = operands.choice(
        [.float32, .bool, .int8, .uint8, .int16, .int32, .int64] as [PlainElement])
      table.elementwise.comparisons(
        operands.choice([.equal, .less, .lessOrEqual]), operands.bool(), element,
        operands.binaryRows(isFloat: element == .float32, element.byteCount, to: 1))
    },
    GuardedEntry("elementwise.quantizedSum", problems: 200) { table, operands in
      let element = operands.choice([.int8, .uint8, .int16] as [QuantizedElement])
      let term = QuantizedSumTerm(factor: 901, constant: 7, fraction: 3, fractionBits: 2, shift: 1)
      table.elementwise.quantizedSum(
        QuantizedSum(
          element: element, first: .init(factor: 901, constant: 7), second: term,
          result: .drawn(operands, element)), operands.binaryRows(element.byteCount))
    },
    GuardedEntry("elementwise.linearSum", problems: 150) { table, operands in
      let element = operands.choice([.int8, .uint8] as [QuantizedElement])
      table.elementwise.linearSum(
        LinearSum(
          element: element, firstFactor: 300, secondFactor: 211, constant: 99, shift: 9,
          minimum: element == .int8 ? -128 : 0, maximum: element == .int8 ? 127 : 255),
        operands.binaryRows(1))
    },
    GuardedEntry(
      "elementwise.quantizedProduct",
      ["elementwise.quantizedProduct", "elementwise.floatScaling"], problems: 200
    ) { table, operands in
      let element = operands.choice([.int8, .uint8, .int16] as [QuantizedElement])
      var product = QuantizedProduct(
        element: element, firstZeroPoint: element == .int16 ? 0 : 3,
        secondZeroPoint: element == .int16 ? 0 : 5, result: .drawn(operands, element))
      if element != .int16, operands.bool() {
        product.result.inFloats = table.elementwise.floatScaling(product.result, 258 * 260)
      }
      table.elementwise.quantizedProduct(product, operands.binaryRows(element.byteCount))
    },
    GuardedEntry("elementwise.quantizedSquaredDifference", problems: 100) { table, operands in
      let wide = FixedPointResult(
        multiplier: 1 << 30, exponent: 0,
        range: QuantizedRange(zeroPoint: 0, minimum: .min, maximum: .max), isBounded: false)
      table.elementwise.quantizedSquaredDifference(
        QuantizedSquaredDifference(
          firstZeroPoint: 3, secondZeroPoint: -5, spareBits: 7, first: wide, second: wide,
          result: .drawn(operands, .int8)), operands.binaryRows(1))
    },
    GuardedEntry("elementwise.quantizedRectification", problems: 100) { table, operands in
      let element = operands.choice([.int8, .uint8] as [QuantizedElement])
      table.elementwise.quantizedRectification(
        QuantizedRectification(
          element: element, zeroPoint: 3, slopeZeroPoint: 9, kept: .drawn(operands, element),
          sloped: .drawn(operands, element)), operands.binaryRows(1))
    },
  ]

  private static let unary: [GuardedEntry] = [
    GuardedEntry("elementwise.mappedFloats", problems: 400) { table, operands in
      let numerics = operands.choice(
        [.fast, .exact] + LiteRTProcessor.allCases.map(Numerics.litert))
      let function = operands.choice(
        [
          .clamp(.finite), .rectify(slope: 0.1), .negate, .magnitude, .square, .power(5), .sign,
          .squareRoot, .reciprocalSquareRoot, .hardSwish(numerics), .logistic(numerics),
          .sigmoidLinear(numerics), .tanh(numerics), .exponential(numerics),
          .exponentialLinear(numerics), .gaussianLinear(numerics), .gaussianErrorLinear(numerics),
          .roundToSteps(.finite, step: 0.25), .floor, .ceiling, .nearest,
          .sine(numerics), .cosine(numerics), .logarithm(numerics),
        ] as [UnaryFloatFunction])
      let count = operands.size("count", 1...300)
      table.elementwise.mappedFloats(
        function,
        ElementRow(
          input: operands.floats("input", count: count),
          output: operands.result("output", byteCount: 4 * count), count: count))
    },
    GuardedEntry("elementwise.converted", problems: 600) { table, operands in
      let (conversion, from, to) = operands.conversion()
      let count = operands.size("count", 1...600)
      table.elementwise.converted(
        conversion,
        ElementRow(
          input: from == 0
            ? UnsafeRawPointer(operands.floats("input", count: count))
            : operands.bits("input", byteCount: from * count),
          output: operands.result("output", byteCount: to * count), count: count))
    },
  ]
}

extension QuantizedElement {
  var byteCount: Int { self == .int16 ? 2 : 1 }

  var range: QuantizedRange {
    switch self {
    case .int8: QuantizedRange(zeroPoint: 3, minimum: -128, maximum: 127)
    case .uint8: QuantizedRange(zeroPoint: 3, minimum: 0, maximum: 255)
    case .int16: QuantizedRange(zeroPoint: 0, minimum: -32768, maximum: 32767)
    }
  }
}

extension FixedPointResult {
  fileprivate static func drawn(_ operands: GuardedOperands, _ element: QuantizedElement) -> Self {
    FixedPointResult(
      multiplier: 1_234_567_890, exponent: operands.choice([-12, -6, 0, 1]), range: element.range,
      isBounded: false)
  }
}

extension GuardedOperands {
  /// Rows in one of the layouts that kernels accept, of floats or of integers.
  fileprivate func binaryRows(
    isFloat: Bool = false, _ elementBytes: Int, to resultBytes: Int? = nil
  ) -> BinaryRows {
    let length = size("length", 1...130)
    let rows = size("rows", 1...9)
    let way = choice(["apart", "scalar first", "scalar second", "shared first", "shared second"])
    func operand(_ name: String, _ word: String) -> (UnsafeRawPointer, stride: Int) {
      let isScalar = way == "scalar \(word)"
      let isShared = way == "shared \(word)"
      let count = isShared ? length : isScalar ? rows : rows * length
      let stride = isShared ? 0 : (isScalar ? 1 : length) * elementBytes
      if isFloat { return (UnsafeRawPointer(floats(name, count: count)), stride) }
      // Integers are odd, because they may be divisors.
      return (oddBytes(name, byteCount: count * elementBytes), stride)
    }
    let (first, firstStride) = operand("first", "first")
    let (second, secondStride) = operand("second", "second")
    return BinaryRows(
      first: first, second: second,
      output: result("output", byteCount: rows * length * (resultBytes ?? elementBytes)),
      rowLength: length, rowCount: rows, firstStride: firstStride, secondStride: secondStride,
      firstIsScalar: way == "scalar first", secondIsScalar: way == "scalar second")
  }

  fileprivate func softmaxRows(beta: Float) -> SoftmaxArguments {
    let length = size("length", 1...200)
    let rows = size("rows", 1...40)
    return SoftmaxArguments(
      input: floats("input", count: length * rows),
      output: result("output", byteCount: 4 * length * rows), rowLength: length, rowCount: rows,
      beta: beta, numerics: bool() ? .fast : .exact)
  }

  /// A conversion with the sizes of an element and of a result; 0 stands for floats to be drawn.
  fileprivate func conversion() -> (ElementConversion, from: Int, to: Int) {
    let element = choice([.int8, .uint8, .int16] as [QuantizedElement])
    let other = choice([.int8, .uint8, .int16] as [QuantizedElement])
    let result = FixedPointResult.drawn(self, other)
    let shorts = FixedPointResult.drawn(self, .int16)
    switch number(0...10) {
    case 0:
      note("quantize")
      return (.quantize(element, scale: 0.013, range: element.range), 0, element.byteCount)
    case 1:
      note("dequantize")
      return (
        .dequantize(element, scale: 0.3, zeroPoint: element.range.zeroPoint), element.byteCount, 4
      )
    case 2:
      note("requantize")
      return (
        .requantize(element, zeroPoint: element.range.zeroPoint, to: other, result),
        element.byteCount, other.byteCount
      )
    case 3: return (.rectify(kept: shorts, sloped: shorts, negatesSloped: bool()), 2, 2)
    case 4: return (.scaleMagnitudes(shorts), 2, 2)
    case 5: return (.negateBytes, 1, 1)
    case 6: return (.scaleSums(zeroPoint: 9, .drawn(self, .int8)), 4, 1)
    case 7: return (.widenHalves, 2, 4)
    case 8: return (.integersToFloats, 4, 4)
    case 9: return (.floatsToIntegers, 0, 4)
    default:
      note("cast")
      let from = choice([.bool, .int8, .uint8, .int16, .int32] as [PlainElement])
      let to = choice([.float32, .bool, .int8, .uint8, .int16, .int32, .int64] as [PlainElement])
      return (.cast(from: from, to: to), from.byteCount, to.byteCount)
    }
  }
}
