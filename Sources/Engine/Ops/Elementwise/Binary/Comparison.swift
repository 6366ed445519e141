import OcellusKernelABI

/// EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER and GREATER_EQUAL.
package enum Comparison {
  package static let equal = equality("EQUAL", versions: 1...5, IsEqual.self)
  package static let notEqual = equality("NOT_EQUAL", versions: 1...4, IsNotEqual.self)
  package static let less = order("LESS", versions: 1...3, IsLess.self, [.bfloat16])
  package static let lessEqual = order("LESS_EQUAL", versions: 1...2, IsLessOrEqual.self)
  package static let greater = order("GREATER", versions: 1...2, IsGreater.self, [.bfloat16])
  package static let greaterEqual = order("GREATER_EQUAL", versions: 1...3, IsGreaterOrEqual.self)

  private static let numberTypes: [ElementType] = [
    .float32, .float16, .int16, .int32, .int64, .uint8, .int8,
  ]

  private static func equality<R: AskedRelation>(
    _ name: String, versions: ClosedRange<Int>, _: R.Type
  ) -> OperatorDefinition {
    Binary.definition(
      name, versions: versions, types: numberTypes + [.bool, .string], resultType: .always(.bool)
    ) {
      node throws(ModelError) in
      let input = try node.input(0)
      switch input.type {
      case .bool: return BinaryLoop(Compared<R, Boolean>())
      case .string: return stringLoop(R.self)
      case .int16 where input.quantization != nil:
        return BinaryLoop(try QuantizedCompared<R, Int16>(node))
      default: return try numberKernel(R.self, for: node)
      }
    }
  }

  private static func order<R: AskedRelation>(
    _ name: String, versions: ClosedRange<Int>, _: R.Type, _ moreTypes: [ElementType] = []
  ) -> OperatorDefinition {
    Binary.definition(
      name, versions: versions, types: numberTypes + moreTypes, resultType: .always(.bool)
    ) {
      node throws(ModelError) in
      try numberKernel(R.self, for: node)
    }
  }

  private static func numberKernel<R: AskedRelation>(
    _: R.Type, for node: NodeSpec
  ) throws(ModelError) -> BinaryLoop {
    switch try node.input(0).type {
    case .float16: BinaryLoop(Compared<R, Float16>())
    case .bfloat16: BinaryLoop(Compared<R, BFloat16>())
    // The official kernels for ordering ignore the scales and compare the stored integers.
    case .int16: BinaryLoop(Compared<R, Int16>())
    case .int32: BinaryLoop(Compared<R, Int32>())
    case .int64: BinaryLoop(Compared<R, Int64>())
    case .uint8: BinaryLoop(try QuantizedCompared<R, UInt8>(node))
    case .int8: BinaryLoop(try QuantizedCompared<R, Int8>(node))
    default: BinaryLoop(Compared<R, Float>())
    }
  }
}

// MARK: Relations

/// The relation that a comparison tests.
private protocol AskedRelation: Sendable {
  static func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool
  /// The corresponding relation of the kernels, whether it is negated, and whether the operands are
  /// swapped.
  static var tuned: (relation: Relation, isNegated: Bool, swapsOperands: Bool) { get }
}

private enum IsEqual: AskedRelation {
  static func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool { a == b }
  static var tuned: (relation: Relation, isNegated: Bool, swapsOperands: Bool) {
    (.equal, false, false)
  }
}

private enum IsNotEqual: AskedRelation {
  static func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool { a != b }
  static var tuned: (relation: Relation, isNegated: Bool, swapsOperands: Bool) {
    (.equal, true, false)
  }
}

private enum IsLess: AskedRelation {
  static func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool { a < b }
  static var tuned: (relation: Relation, isNegated: Bool, swapsOperands: Bool) {
    (.less, false, false)
  }
}

private enum IsLessOrEqual: AskedRelation {
  static func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool { a <= b }
  static var tuned: (relation: Relation, isNegated: Bool, swapsOperands: Bool) {
    (.lessOrEqual, false, false)
  }
}

private enum IsGreater: AskedRelation {
  static func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool { a > b }
  static var tuned: (relation: Relation, isNegated: Bool, swapsOperands: Bool) {
    (.less, false, true)
  }
}

private enum IsGreaterOrEqual: AskedRelation {
  static func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool { a >= b }
  static var tuned: (relation: Relation, isNegated: Bool, swapsOperands: Bool) {
    (.lessOrEqual, false, true)
  }
}

// MARK: Kernels

private struct Compared<R: AskedRelation, Value: TensorElement & Comparable>: BinaryFunction {
  static var isVectorized: Bool { true }

  func callAsFunction(_ a: Value, _ b: Value) -> Boolean { Boolean(R.holds(a, b)) }

  var tuned: BinaryArithmetic? { .comparison(R.self, of: Value.self) }
}

extension BinaryArithmetic {
  /// Returns a comparison of stored elements.
  ///
  /// - Returns: `nil` for types without kernels, and for `bool`, which has several true values.
  fileprivate static func comparison<R: AskedRelation, Value: TensorElement>(
    _: R.Type, of _: Value.Type
  ) -> Self? {
    guard let element = PlainElement(Value.elementType), element != .bool else { return nil }
    let (relation, isNegated, swapsOperands) = R.tuned
    return .comparison(
      relation, isNegated: isNegated, element, swapsOperands: swapsOperands)
  }
}

/// A comparison of the real values of quantized numbers.
private struct QuantizedCompared<R: AskedRelation, Stored: FixedWidthInteger & TensorElement>:
  BinaryFunction
{
  private let first: QuantizedTerm
  private let second: QuantizedTerm
  /// The rescaled values of 8-bit numbers, by byte.
  private let firstTerms: [Int32]
  private let secondTerms: [Int32]

  init(_ node: NodeSpec) throws(ModelError) {
    func term(_ tensor: TensorSpec) throws(ModelError) -> QuantizedTerm {
      let quantization = try node.perTensorQuantization(of: tensor)
      return QuantizedTerm(
        zeroPoint: quantization.zeroPoint, spareBits: 8,
        multiplier: try node.positiveMultiplier(Double(quantization.scale)))
    }
    first = try term(node.input(0))
    second = try term(node.input(1))
    firstTerms = Self.terms(first)
    secondTerms = Self.terms(second)
  }

  private static func terms(_ term: QuantizedTerm) -> [Int32] {
    Stored.bitWidth > 8 ? [] : (0...255).map { term(Stored(truncatingIfNeeded: $0)) }
  }

  func callAsFunction(_ a: Stored, _ b: Stored) -> Boolean {
    guard Stored.bitWidth == 8 else { return Boolean(R.holds(first(a), second(b))) }
    let (a, b) = (UInt8(truncatingIfNeeded: a), UInt8(truncatingIfNeeded: b))
    return Boolean(R.holds(firstTerms[Int(a)], secondTerms[Int(b)]))
  }

  /// Compares stored numbers where both operands have one quantization and rescaling keeps all
  /// values distinct and in order.
  var tuned: BinaryArithmetic? {
    guard Stored.bitWidth == 8, firstTerms == secondTerms else { return nil }
    let inOrder = (Stored.min...Stored.max).map { firstTerms[Int(UInt8(truncatingIfNeeded: $0))] }
    guard zip(inOrder, inOrder.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
    return .comparison(R.self, of: Stored.self)
  }
}

/// Returns a comparison of strings, which applies the relation to their equality and `true`.
private func stringLoop<R: AskedRelation>(_: R.Type) -> BinaryLoop {
  BinaryLoop(operandType: .string, resultType: .bool) { context throws(ModelError) in
    let (a, b, output) = (context.input(0), context.input(1), context.output(0))
    let (first, second) = (try context.strings(of: a), try context.strings(of: b))
    let results = output.values(Boolean.self)
    let loops = BroadcastLoops(a.shape, b.shape, to: output.shape)
    var question = StoppableWork(context.control)
    loops.forEachRow(unless: { context.control.isOver }) { start, starts, count in
      for index in 0..<count {
        let positions = starts &+ loops.rowStrides &* index
        let (a, b) = (first[positions[0]], second[positions[1]])
        // A string may be longer than a row.
        if question.isOver(after: a.count) { return }
        let isSame = a.count == b.count && isSame(a, b, context)
        results[start + index] = Boolean(R.holds(Boolean(isSame), Boolean(true)))
      }
    }
  }
}

/// Whether two strings of one length have the same bytes.
private func isSame(
  _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, _ context: RunContext
) -> Bool {
  for chunk in context.chunks(of: a.count) where !a[chunk].elementsEqual(b[chunk]) { return false }
  return true
}
