/// A floating-point type of tensor elements for which kernels compute in `Float`.
///
/// One generic body serves all of these types: widen, compute, round once.
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
