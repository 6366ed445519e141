/// A complex number in the memory layout of `complex64` and `complex128` tensors.
package struct Complex<Part: BinaryFloatingPoint & BitwiseCopyable & Sendable>: BitwiseCopyable,
  Sendable
{
  package var real: Part
  package var imaginary: Part

  package init(_ real: Part, _ imaginary: Part) {
    self.real = real
    self.imaginary = imaginary
  }

  package static func + (a: Self, b: Self) -> Self {
    Self(a.real + b.real, a.imaginary + b.imaginary)
  }

  package static func - (a: Self, b: Self) -> Self {
    Self(a.real - b.real, a.imaginary - b.imaginary)
  }

  package static func * (a: Self, b: Self) -> Self {
    Self(
      a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
  }
}

extension Complex: TensorElement where Part: ComplexPart {
  package static var elementType: ElementType { Part.complexElementType }
}

/// A type of the real and imaginary parts of a tensor's elements.
package protocol ComplexPart {
  static var complexElementType: ElementType { get }
}

extension Float: ComplexPart {
  package static var complexElementType: ElementType { .complex64 }
}

extension Double: ComplexPart {
  package static var complexElementType: ElementType { .complex128 }
}
