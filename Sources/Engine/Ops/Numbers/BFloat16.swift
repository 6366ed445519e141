/// A float with the range of `Float` and 8 significant bits: the upper half of a `Float`.
package struct BFloat16: BitwiseCopyable, Sendable {
  package var bitPattern: UInt16

  package init(bitPattern: UInt16) { self.bitPattern = bitPattern }

  /// Creates the nearest number, with ties to even; every NaN becomes a quiet one.
  package init(_ value: Float) {
    let bits = value.bitPattern
    if value.isNaN {
      bitPattern = UInt16(truncatingIfNeeded: bits >> 16) | 0x0040
    } else {
      let roundingBias = 0x7FFF + ((bits >> 16) & 1)
      bitPattern = UInt16(truncatingIfNeeded: (bits &+ roundingBias) >> 16)
    }
  }
}

extension Float {
  package init(_ value: BFloat16) {
    self.init(bitPattern: UInt32(value.bitPattern) << 16)
  }
}

extension BFloat16: Comparable {
  package static func == (a: Self, b: Self) -> Bool { Float(a) == Float(b) }
  package static func < (a: Self, b: Self) -> Bool { Float(a) < Float(b) }
  package static func <= (a: Self, b: Self) -> Bool { Float(a) <= Float(b) }
  package static func > (a: Self, b: Self) -> Bool { Float(a) > Float(b) }
  package static func >= (a: Self, b: Self) -> Bool { Float(a) >= Float(b) }
}
