/// An element of a `bool` tensor: a byte, of which every value but zero means true.
///
/// Not `Bool`, because a byte that a caller hands in need not be one of the two values that Swift
/// takes for granted there.
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
  /// 1 or 0 without a branch, which the compiler may make of a choice between two numbers.
  @inline(__always)
  var byte: UInt8 { unsafeBitCast(self, to: UInt8.self) }
}
