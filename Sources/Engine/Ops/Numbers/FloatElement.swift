/// A floating-point type of tensors that kernels compute in `Float`.
///
/// One generic body then serves all of them: widen, compute, round once.
package protocol FloatElement: BitwiseCopyable, Sendable {
  /// The number nearest to a computed one, ties to even.
  init(_ value: Float)
  /// The same number, exactly.
  var single: Float { get }
}

extension Float: FloatElement {
  package var single: Float { self }
}

extension Float16: FloatElement {
  package var single: Float { Float(self) }
}

extension BFloat16: FloatElement {
  package var single: Float { Float(self) }
}
