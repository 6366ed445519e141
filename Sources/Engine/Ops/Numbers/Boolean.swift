/// An element of a `bool` tensor: a byte, of which every value but zero means true.
///
/// Not `Bool`, because a byte that a caller hands in need not be one of the two values that Swift
/// takes for granted there.
package struct Boolean: TensorElement {
  package static var elementType: ElementType { .bool }

  package var byte: UInt8

  package init(_ value: Bool) { byte = value ? 1 : 0 }

  package var isTrue: Bool { byte != 0 }
}

extension Boolean: Comparable {
  package static func == (a: Self, b: Self) -> Bool { a.isTrue == b.isTrue }
  package static func < (a: Self, b: Self) -> Bool { !a.isTrue && b.isTrue }
}
