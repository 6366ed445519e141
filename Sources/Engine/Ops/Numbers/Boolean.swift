/// An element of a `bool` tensor: a byte, of which every value but zero means true.
///
/// It is not `Bool`, since bytes from a caller may have other values than the two that Swift allows
/// there.
package struct Boolean: TensorElement {
  package static var elementType: ElementType { .bool }

  package var byte: UInt8

  package init(_ value: Bool) { byte = value.byte }

  package var isTrue: Bool { byte != 0 }
}

extension Boolean: Comparable {
  package static func == (a: Self, b: Self) -> Bool { a.isTrue == b.isTrue }
  package static func < (a: Self, b: Self) -> Bool { !a.isTrue && b.isTrue }
}

extension Bool {
  /// 1 or 0, without the branch that the compiler may emit for a conditional expression.
  @inline(__always)
  var byte: UInt8 { unsafeBitCast(self, to: UInt8.self) }
}
