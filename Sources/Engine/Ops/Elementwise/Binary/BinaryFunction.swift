/// A function of two elements, which an operator applies at every position of its result.
package protocol BinaryFunction: Sendable {
  associatedtype Operand: TensorElement
  associatedtype Result: TensorElement

  func callAsFunction(_ a: Operand, _ b: Operand) -> Result

  /// Why the function cannot be applied to some of the second operands, such as a divisor of zero.
  func objection(to second: UnsafeBufferPointer<Operand>) -> String?

  /// The same function on the tuned kernels, which have no objections; `nil` where there is none.
  var tuned: BinaryArithmetic? { get }
}

extension BinaryFunction {
  package func objection(to second: UnsafeBufferPointer<Operand>) -> String? { nil }
  package var tuned: BinaryArithmetic? { nil }

  /// Applies the function to two operands, each repeated as its shape asks for.
  ///
  /// - Precondition: the types are the function's, and the operands can be broadcast to `result`.
  package func apply(_ a: TensorView, _ b: TensorView, to result: TensorView) {
    let loops = BroadcastLoops(a.shape, b.shape, to: result.shape)
    guard let first = UnsafePointer(a.values(Operand.self).baseAddress),
      let second = UnsafePointer(b.values(Operand.self).baseAddress),
      let results = result.values(Result.self).baseAddress
    else { return }
    let (firstStride, secondStride) = (loops.rowStrides[0], loops.rowStrides[1])
    loops.forEachRow { start, starts in
      let (a, b, row) = (first + starts[0], second + starts[1], results + start)
      for index in 0..<loops.rowLength {
        row[index] = self(a[index &* firstStride], b[index &* secondStride])
      }
    }
  }
}

/// Another function, its results forced into an interval: a fused activation.
package struct Clamped<Base: BinaryFunction>: BinaryFunction where Base.Result: Comparable {
  let base: Base
  let range: ClosedRange<Base.Result>

  package func callAsFunction(_ a: Base.Operand, _ b: Base.Operand) -> Base.Result {
    base(a, b).clamped(to: range)
  }

  package func objection(to second: UnsafeBufferPointer<Base.Operand>) -> String? {
    base.objection(to: second)
  }

  package var tuned: BinaryArithmetic? {
    guard let range = range as? ClosedRange<Float> else { return nil }
    return base.tuned?.clamped(to: range)
  }
}

/// Another function with its operands exchanged.
package struct Swapped<Base: BinaryFunction>: BinaryFunction {
  let base: Base

  package init(_ base: Base) { self.base = base }

  package func callAsFunction(_ a: Base.Operand, _ b: Base.Operand) -> Base.Result { base(b, a) }
}

/// What functions say that cannot divide by some of their operands.
package func objectionToZero<Value: Numeric>(in divisors: UnsafeBufferPointer<Value>) -> String? {
  divisors.contains(0) ? "division by zero" : nil
}
