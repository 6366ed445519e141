/// A floating-point type of tensor elements for which kernels compute in `Float`.
///
/// One generic body serves all of these types: widen, compute, round once.
package protocol FloatElement: BitwiseCopyable, Sendable {
  /// Creates the number nearest to `value`, with ties to even.
  init(_ value: Float)
  /// The same number as a `Float`, without rounding.
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
