package import OcellusKernelABI

extension AffineTable {
  /// Converts a table to this form.
  ///
  /// Each entry gives a lower and an upper bound of the sum that is rounded to it. A multiplier is
  /// valid if the greatest lower bound of the offset does not exceed the smallest upper bound. The
  /// multiplier with the widest interval is found by bisection, since the width grows up to it and
  /// shrinks beyond. Clamped entries bound their sums on one side only.
  ///
  /// - Returns: `nil` if the table is not affine, apart from rounding, clamping and one bend at the
  ///   zero point.
  package init?(
    _ table: ByteTable, from argument: ElementType, to result: ElementType, zeroPoint: Int
  ) {
    let tabulated = TabulatedFunction(table, from: argument, to: result)
    for bend in tabulated.bends(zeroPoint: zeroPoint) {
      for shift in tabulated.shifts {
        guard var found = tabulated.fit(bend: bend, shift: shift) else { continue }
        found.argumentSignToggle = argument == .int8 ? 0 : 0x80
        found.entrySignToggle = result == .int8 ? 0 : 0x80
        self = found
        return
      }
    }
    return nil
  }

  /// Returns the entry of an argument, both as signed numbers.
  fileprivate func entry(of argument: Int) -> Int {
    let function = bend.map { argument < $0 } ?? false ? functionBelow : function
    let product = (256 * argument + Int(fraction)) * Int(function.multiplier)
    let sum = (product + 1 << 14) >> 15 + Int(function.offset)
    return (sum.clamped(to: -0x8000...0x7FFF) >> Int(shift)).clamped(
      to: Int(minimum)...Int(maximum))
  }
}

/// The lower and upper bounds of the sums, by index into the table.
private struct Bounds {
  var lower, upper: [Int]

  /// A number greater than any sum.
  static let infinity = 1 << 40

  /// Returns the multiplier that leaves the widest interval of offsets over a range of indices, or
  /// the first one whose interval is wide enough for every fraction.
  func slope(_ indices: Range<Int>) -> Slope? {
    // -2¹⁵ is excluded: its product with itself is the only one that overflows 16 bits.
    var low = -0x7FFF, high = 0x7FFF
    var best: Slope?
    while low <= high {
      let multiplier = (low + high) >> 1
      var sums = (lower: -2 * Self.infinity, upper: 2 * Self.infinity)
      var tightest = (lower: 0, upper: 0)
      for index in indices {
        let product = 256 * (index - 128) * multiplier
        if lower[index] - product > sums.lower {
          (sums.lower, tightest.lower) = (lower[index] - product, index)
        }
        if upper[index] - product < sums.upper {
          (sums.upper, tightest.upper) = (upper[index] - product, index)
        }
      }
      let width = sums.upper - sums.lower
      if width >= 0 && width > best?.width ?? -1 {
        best = Slope(multiplier: multiplier, lower: sums.lower, upper: sums.upper)
      }
      if width >= 1 << 15 || tightest.lower == tightest.upper { break }
      if tightest.upper < tightest.lower { low = multiplier + 1 } else { high = multiplier - 1 }
    }
    return best
  }
}

/// A multiplier and the interval of numbers that may be added to its products.
private struct Slope {
  var multiplier: Int
  var lower, upper: Int

  var width: Int { upper - lower }

  /// Returns the affine function for arguments that are increased by `fraction` / 256.
  func function(fraction: Int) -> AffineTable.Function? {
    let sum = fraction * multiplier + 1 << 14
    // The smallest offset that reaches the lower bound.
    let offset = max(-0x8000, -((sum - lower) >> 15))
    guard offset <= 0x7FFF, sum + offset << 15 <= upper else { return nil }
    return AffineTable.Function(multiplier: Int16(multiplier), offset: Int16(offset))
  }
}

/// A table of bytes in the order of its arguments, with entries as signed numbers.
private struct TabulatedFunction {
  private let entries: [Int]
  private let minimum, maximum: Int
  /// The range of indices outside of which all entries equal those at its ends.
  private let indices: ClosedRange<Int>
  /// The index of the argument zero.
  private let origin: Int

  init(_ table: ByteTable, from argument: ElementType, to result: ElementType) {
    let origin = argument == .int8 ? 128 : 0
    self.origin = origin
    let entries = (0..<256).map { index in
      let entry = table.entries[index ^ origin]
      return result == .int8 ? Int(Int8(bitPattern: entry)) : Int(entry) - 128
    }
    self.entries = entries
    minimum = entries.min() ?? 0
    maximum = entries.max() ?? 0
    let first = entries.firstIndex { $0 != entries[0] }
    let last = entries.lastIndex { $0 != entries[255] }
    indices = if let first, let last { first - 1...max(first - 1, last + 1) } else { 0...0 }
  }

  /// Whether the entries are within two of the straight line between the second and the
  /// second-last.
  ///
  /// Rounding may move line and entry by one each. The first and the last entry may be clamped.
  private func isStraight(_ indices: ClosedRange<Int>) -> Bool {
    guard indices.count > 3 else { return true }
    let (begin, end) = (indices.lowerBound + 1, indices.upperBound - 1)
    let rise = entries[end] - entries[begin]
    return (begin...end).allSatisfy { index in
      let expected = entries[begin] + rise * (index - begin) / (end - begin)
      return abs(entries[index] - expected) <= 2
    }
  }

  /// Returns the indices at which the function may bend; `nil` stands for no bend.
  func bends(zeroPoint: Int) -> [Int?] {
    var bends: [Int?] = isStraight(indices) ? [nil] : []
    // Hostile models may have any zero point, so this addition wraps.
    let bend = zeroPoint &+ origin
    if indices.contains(bend), isStraight(indices.lowerBound...bend),
      isStraight(bend...indices.upperBound)
    {
      bends.append(bend)
    }
    return bends
  }

  /// The numbers of bits by which sums may be shifted.
  ///
  /// Larger shifts give finer multipliers, as long as multipliers and sums fit in 16 bits.
  var shifts: [Int] {
    let run = 16
    let rise = (0..<256 - run).reduce(0) { max($0, abs(entries[$1 + run] - entries[$1])) }
    return (0...9).reversed().filter { shift in
      // Rounding may have added one.
      (rise - 1) << (shift + 7) <= 0x7FFF * run && minimum << shift >= -0x8000
        && maximum << shift <= 0x7FFF
    }
  }

  /// Returns the affine table with these entries, for bytes whose sign bits are not toggled.
  func fit(bend: Int?, shift: Int) -> AffineTable? {
    let bounds = bounds(shift)
    guard let slope = bounds.slope((bend ?? 0)..<256),
      let slopeBelow = bend.map({ bounds.slope(0..<$0) }) ?? slope
    else { return nil }
    for fraction in 0..<256 {
      guard let function = slope.function(fraction: fraction),
        let functionBelow = slopeBelow.function(fraction: fraction)
      else { continue }
      let affineTable = AffineTable(
        function: function, functionBelow: functionBelow, bend: bend.map { Int8($0 - 128) },
        fraction: UInt8(fraction), shift: UInt8(shift), minimum: Int8(minimum),
        maximum: Int8(maximum), argumentSignToggle: 0, entrySignToggle: 0)
      // Saturated sums may differ from the sums for which the bounds hold.
      if (0..<256).allSatisfy({ affineTable.entry(of: $0 - 128) == entries[$0] }) {
        return affineTable
      }
    }
    return nil
  }

  /// Returns the bounds of the sums that are rounded to the entries.
  private func bounds(_ shift: Int) -> Bounds {
    let unit = 1 << (15 + shift)
    return Bounds(
      lower: entries.map { $0 > minimum ? $0 * unit : -Bounds.infinity },
      upper: entries.map { $0 < maximum ? ($0 + 1) * unit - 1 : Bounds.infinity })
  }
}
