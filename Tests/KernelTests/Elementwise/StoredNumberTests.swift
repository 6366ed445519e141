import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// Integer functions, comparisons and casts, checked against Swift's own operators.
@Suite struct StoredNumberTests {
  /// Rows of two arrays, or of an array and a scalar for each row.
  private struct Rows {
    let length: Int
    let count: Int
    let firstIsScalar: Bool
    let secondIsScalar: Bool

    static let all: [Rows] = awkwardSizes.flatMap { length in
      [
        Rows(length: length, count: 1, firstIsScalar: false, secondIsScalar: false),
        Rows(length: length, count: 3, firstIsScalar: false, secondIsScalar: true),
        Rows(length: length, count: 2, firstIsScalar: true, secondIsScalar: false),
      ]
    }

    func operandCount(isScalar: Bool) -> Int { isScalar ? count : count * length }
    func index(_ result: Int, isScalar: Bool) -> Int { isScalar ? result / length : result }
  }

  /// Numbers of all magnitudes, many of which occur twice, and the limits of the type.
  private func integers<Value: FixedWidthInteger>(_ count: Int, seed: UInt64) -> [Value] {
    var random = SeededGenerator(seed: seed)
    let special: [Value] = [.min, .max, 0, 1, .max - 1]
    return (0..<count).map { index in
      switch index % 3 {
      case 0: special[Int.random(in: 0..<5, using: &random)]
      case 1: Value.random(in: 0...3, using: &random)
      default: Value.random(in: .min ... .max, using: &random)
      }
    }
  }

  private func floats(_ count: Int, seed: UInt64) -> [Float] {
    var random = SeededGenerator(seed: seed)
    let special: [Float] = [
      0, -0, .nan, -.nan, .infinity, -.infinity, 1, -1, .leastNonzeroMagnitude,
      -.leastNonzeroMagnitude, 3.4e38,
    ]
    return random.floats(count).enumerated().map { index, value in
      index % 3 == 0 ? value : special[Int.random(in: 0..<special.count, using: &random)]
    }
  }

  /// Returns the results of a kernel for two operands.
  private func results<
    Operand: BitwiseCopyable & ExpressibleByIntegerLiteral, Result: BitwiseCopyable
  >(
    _ rows: Rows, _ first: [Operand], _ second: [Operand], filledWith zero: Result,
    _ kernel: (BinaryRows) -> Void
  ) -> [Result] {
    let (a, b) = (GuardedMemory(first), GuardedMemory(second))
    let output = GuardedMemory(count: rows.count * rows.length, filledWith: zero)
    let bytes = MemoryLayout<Operand>.stride
    kernel(
      BinaryRows(
        first: a.start, second: b.start, output: output.start, rowLength: rows.length,
        rowCount: rows.count, firstStride: (rows.firstIsScalar ? 1 : rows.length) * bytes,
        secondStride: (rows.secondIsScalar ? 1 : rows.length) * bytes,
        firstIsScalar: rows.firstIsScalar, secondIsScalar: rows.secondIsScalar))
    return output.elements
  }

  private func check<Value: FixedWidthInteger & BitwiseCopyable>(
    _: Value.Type, _ element: PlainElement, table: Int, dividing: Bool = false,
    _ functions: [(BinaryIntegerFunction, (Value, Value) -> Value)]
  ) {
    for rows in Rows.all {
      let a: [Value] = integers(rows.operandCount(isScalar: rows.firstIsScalar), seed: 1)
      var b: [Value] = integers(rows.operandCount(isScalar: rows.secondIsScalar), seed: 2)
      if dividing { b = b.map { $0 == 0 ? ~0 : $0 } }
      for (name, function) in functions {
        let got = results(rows, a, b, filledWith: Value(0)) {
          tables[table].elementwise.integers(name, element, $0)
        }
        let want = (0..<rows.count * rows.length).map {
          function(
            a[rows.index($0, isScalar: rows.firstIsScalar)],
            b[rows.index($0, isScalar: rows.secondIsScalar)])
        }
        #expect(got == want, "\(name) of \(element), \(rows)")
      }
    }
  }

  @Test(arguments: tables.indices)
  func functionsOfIntegers(table: Int) {
    func extremes<Value: Comparable>() -> [(BinaryIntegerFunction, (Value, Value) -> Value)] {
      [(.maximum, { max($0, $1) }), (.minimum, { min($0, $1) })]
    }
    check(Int8.self, .int8, table: table, extremes())
    check(UInt8.self, .uint8, table: table, extremes())
    check(Int16.self, .int16, table: table, extremes())
    check(
      Int32.self, .int32, table: table,
      extremes() + [(.add, { $0 &+ $1 }), (.subtract, { $0 &- $1 }), (.multiply, { $0 &* $1 })])
    check(
      Int64.self, .int64, table: table,
      extremes() + [(.add, { $0 &+ $1 }), (.subtract, { $0 &- $1 }), (.multiply, { $0 &* $1 })])
  }

  @Test(arguments: tables.indices)
  func quotientsOfIntegers(table: Int) {
    func floorQuotient(_ a: Int32, _ b: Int32) -> Int64 {
      let (quotient, remainder) = Int64(a).quotientAndRemainder(dividingBy: Int64(b))
      return remainder != 0 && (remainder < 0) != (b < 0) ? quotient - 1 : quotient
    }
    check(
      Int32.self, .int32, table: table, dividing: true,
      [
        (.divide, { Int32(truncatingIfNeeded: Int64($0) / Int64($1)) }),
        (.floorQuotient, { Int32(truncatingIfNeeded: floorQuotient($0, $1)) }),
        (.floorRemainder, { Int32(Int64($0) - floorQuotient($0, $1) * Int64($1)) }),
      ])
  }

  private func compare<Value: Comparable & BitwiseCopyable & ExpressibleByIntegerLiteral>(
    _ element: PlainElement, table: Int, _ values: (_ count: Int, _ seed: UInt64) -> [Value]
  ) {
    let relations: [(Relation, (Value, Value) -> Bool)] = [
      (.equal, { $0 == $1 }), (.less, { $0 < $1 }), (.lessOrEqual, { $0 <= $1 }),
    ]
    for rows in Rows.all {
      let a = values(rows.operandCount(isScalar: rows.firstIsScalar), 3)
      let b = values(rows.operandCount(isScalar: rows.secondIsScalar), 4)
      for (relation, holds) in relations {
        for isNegated in [false, true] {
          let got = results(rows, a, b, filledWith: UInt8(99)) {
            tables[table].elementwise.comparisons(relation, isNegated, element, $0)
          }
          let want: [UInt8] = (0..<rows.count * rows.length).map {
            let truth = holds(
              a[rows.index($0, isScalar: rows.firstIsScalar)],
              b[rows.index($0, isScalar: rows.secondIsScalar)])
            return truth == isNegated ? 0 : 1
          }
          #expect(got == want, "\(relation) \(isNegated) of \(element), \(rows)")
        }
      }
    }
  }

  @Test(arguments: tables.indices)
  func comparisons(table: Int) {
    compare(.float32, table: table, floats)
    compare(.int8, table: table) { integers($0, seed: $1) as [Int8] }
    compare(.uint8, table: table) { integers($0, seed: $1) as [UInt8] }
    compare(.int16, table: table) { integers($0, seed: $1) as [Int16] }
    compare(.int32, table: table) { integers($0, seed: $1) as [Int32] }
    compare(.int64, table: table) { integers($0, seed: $1) as [Int64] }
  }

  // MARK: Casts

  private func cast<
    Source: BitwiseCopyable & ExpressibleByIntegerLiteral, Target: BitwiseCopyable & Equatable
  >(
    _ source: [Source], _ from: PlainElement, to: PlainElement, table: Int, filledWith zero: Target,
    _ truth: (Source) -> Target
  ) {
    for count in awkwardSizes + [256, 257, 1000] {
      let part = Array(source.prefix(count))
      let input = GuardedMemory(part)
      let output = GuardedMemory(count: part.count, filledWith: zero)
      tables[table].elementwise.converted(
        .cast(from: from, to: to),
        ElementRow(input: input.start, output: output.start, count: part.count))
      #expect(output.elements == part.map(truth), "\(from) to \(to), \(count)")
    }
  }

  @Test(arguments: tables.indices)
  func castsOfIntegers(table: Int) {
    func check<Source: FixedWidthInteger & BitwiseCopyable>(_: Source.Type, _ from: PlainElement) {
      let source: [Source] = integers(1000, seed: 5)
      cast(source, from, to: .int8, table: table, filledWith: Int8(0)) {
        Int8(truncatingIfNeeded: $0)
      }
      cast(source, from, to: .uint8, table: table, filledWith: UInt8(0)) {
        UInt8(truncatingIfNeeded: $0)
      }
      cast(source, from, to: .int16, table: table, filledWith: Int16(0)) {
        Int16(truncatingIfNeeded: $0)
      }
      cast(source, from, to: .int32, table: table, filledWith: Int32(0)) {
        Int32(truncatingIfNeeded: $0)
      }
      guard Source.bitWidth <= 32 else { return }
      cast(source, from, to: .int64, table: table, filledWith: Int64(0)) { Int64($0) }
      cast(source, from, to: .float32, table: table, filledWith: Float(0)) { Float($0) }
      cast(source, from, to: .bool, table: table, filledWith: UInt8(9)) { $0 == 0 ? 0 : 1 }
    }
    check(Int8.self, .int8)
    check(UInt8.self, .uint8)
    check(Int16.self, .int16)
    check(Int32.self, .int32)
    check(Int64.self, .int64)
  }

  @Test(arguments: tables.indices)
  func castsOfTruthAndFloats(table: Int) {
    let bytes: [UInt8] = integers(1000, seed: 6)
    cast(bytes, .bool, to: .float32, table: table, filledWith: Float(9)) { $0 == 0 ? 0 : 1 }
    cast(bytes, .bool, to: .int64, table: table, filledWith: Int64(9)) { $0 == 0 ? 0 : 1 }
    var random = SeededGenerator(seed: 7)
    let reals =
      floats(500, seed: 8) + random.floats(500).map { $0 * 40_000 }
      + [127.9, 128, -128.9, -129, 255.9, 256, -0.9, 32767.9, -32769]
    func saturated<Value: FixedWidthInteger>(_ x: Float) -> Value {
      x.isNaN ? .max : x >= Float(Value.max) ? .max : x <= Float(Value.min) ? .min : Value(x)
    }
    cast(reals, .float32, to: .int8, table: table, filledWith: Int8(0), saturated)
    cast(reals, .float32, to: .uint8, table: table, filledWith: UInt8(0), saturated)
    cast(reals, .float32, to: .int16, table: table, filledWith: Int16(0), saturated)
    cast(reals, .float32, to: .bool, table: table, filledWith: UInt8(9)) { $0 == 0 ? 0 : 1 }
  }
}
