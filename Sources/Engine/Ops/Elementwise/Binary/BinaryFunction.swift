/// A function of two elements that an operator applies at every position of its result.
package protocol BinaryFunction: Sendable {
  associatedtype Operand: TensorElement
  associatedtype Result: TensorElement

  func callAsFunction(_ a: Operand, _ b: Operand) -> Result

  /// Returns the reason why some of the second operands are invalid, such as a zero divisor; `nil`
  /// if there is none.
  func objection(to second: UnsafeBufferPointer<Operand>) -> String?

  /// Whether the function can object to any operand.
  var mayRejectOperands: Bool { get }

  /// Whether the loops over rows are specialized for vectorization.
  ///
  /// This costs code size, so only functions that follow convolutions ask for it.
  static var isVectorized: Bool { get }

  /// The function on the tuned kernels, which do not check for objections; `nil` if there is none.
  var tuned: BinaryArithmetic? { get }
}

extension BinaryFunction {
  package func objection(to second: UnsafeBufferPointer<Operand>) -> String? { nil }
  package var mayRejectOperands: Bool { false }
  package static var isVectorized: Bool { false }
  package var tuned: BinaryArithmetic? { nil }

  /// Applies the function to two operands that are broadcast to the result.
  ///
  /// - Precondition: the types are the function's, and the operands can be broadcast to `result`.
  package func apply(_ a: TensorView, _ b: TensorView, to result: TensorView) {
    guard let first = a.bytes.baseAddress, let second = b.bytes.baseAddress,
      let results = result.bytes.baseAddress
    else { return }
    apply(BroadcastLoops(a.shape, b.shape, to: result.shape), first, second, to: results) {
      result.control?.isOver == true
    }
  }

  /// Applies the function in loops that were found before, until the run is over.
  ///
  /// - Precondition: the elements have the function's types and cover all offsets of the loops.
  package func apply(
    _ loops: BroadcastLoops, _ a: UnsafeRawPointer, _ b: UnsafeRawPointer,
    to result: UnsafeMutableRawPointer, unless isOver: () -> Bool
  ) {
    let first = a.assumingMemoryBound(to: Operand.self)
    let second = b.assumingMemoryBound(to: Operand.self)
    let results = result.assumingMemoryBound(to: Result.self)
    let (firstStride, secondStride) = (loops.rowStrides[0], loops.rowStrides[1])
    loops.forEachRow(unless: isOver) { start, starts, count in
      let (a, b, row) = (first + starts[0], second + starts[1], results + start)
      if Self.isVectorized && firstStride == 1 && secondStride == 1 {
        for index in 0..<count { row[index] = self(a[index], b[index]) }
      } else if Self.isVectorized && firstStride == 1 && secondStride == 0 {
        let element = b[0]
        for index in 0..<count { row[index] = self(a[index], element) }
      } else {
        for index in 0..<count {
          row[index] = self(a[index &* firstStride], b[index &* secondStride])
        }
      }
    }
  }
}

/// A function with results clamped to an interval: a fused activation.
package struct Clamped<Base: BinaryFunction>: BinaryFunction where Base.Result: Comparable {
  let base: Base
  let range: ClosedRange<Base.Result>

  package func callAsFunction(_ a: Base.Operand, _ b: Base.Operand) -> Base.Result {
    base(a, b).clamped(to: range)
  }

  package func objection(to second: UnsafeBufferPointer<Base.Operand>) -> String? {
    base.objection(to: second)
  }

  package var mayRejectOperands: Bool { base.mayRejectOperands }

  package var tuned: BinaryArithmetic? {
    if let range = range as? ClosedRange<Float> { return base.tuned?.clamped(to: range) }
    return coversAll ? base.tuned : nil
  }

  /// Whether the interval limits nothing, as for integers without an activation.
  private var coversAll: Bool {
    range as? ClosedRange<Int32> == Int32.min...Int32.max
      || range as? ClosedRange<Int64> == Int64.min...Int64.max
  }
}

/// A function with its operands exchanged.
package struct Swapped<Base: BinaryFunction>: BinaryFunction {
  let base: Base

  package init(_ base: Base) { self.base = base }

  package func callAsFunction(_ a: Base.Operand, _ b: Base.Operand) -> Base.Result { base(b, a) }
}

/// Returns the objection of functions that cannot divide by zero.
package func zeroDivisorError<Value: Numeric>(in divisors: UnsafeBufferPointer<Value>) -> String? {
  divisors.contains(0) ? "division by zero" : nil
}
