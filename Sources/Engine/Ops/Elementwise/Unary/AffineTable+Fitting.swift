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
    let line = TabulatedFunction(table, from: argument, to: result)
    for bend in line.bends(zeroPoint: zeroPoint) {
      for shift in line.shifts {
        guard var found = line.fit(bend: bend, shift: shift) else { continue }
        found.argumentSignToggle = argument == .int8 ? 0 : 0x80
        found.entrySignToggle = result == .int8 ? 0 : 0x80
        self = found
        return
      }
    }
    return nil
  }

  /// The entry of an argument, both as signed numbers.
  fileprivate func entry(of argument: Int) -> Int {
    let part = bend.map { argument < $0 } ?? false ? functionBelow : part
    let product = (256 * argument + Int(fraction)) * Int(part.multiplier)
    let sum = (product + 1 << 14) >> 15 + Int(part.offset)
    return (sum.clamped(to: -0x8000...0x7FFF) >> Int(shift)).clamped(
      to: Int(minimum)...Int(maximum))
  }
}

/// The lower and upper bounds of the sums, by index into the table.
private struct Bounds {
  var least, greatest: [Int]

  /// A number greater than any sum.
  static let infinity = 1 << 40

  /// The multiplier that leaves the widest interval of offsets over a range of indices, or the
  /// first one whose interval is wide enough for every fraction.
  func slope(_ places: Range<Int>) -> Slope? {
    // -2¹⁵ is excluded: its product with itself is the only one that overflows 16 bits.
    var low = -0x7FFF, high = 0x7FFF
    var best: Slope?
    while low <= high {
      let multiplier = (low + high) >> 1
      var sums = (least: -2 * Self.infinity, greatest: 2 * Self.infinity)
      var tightest = (least: 0, greatest: 0)
      for place in places {
        let product = 256 * (place - 128) * multiplier
        if least[place] - product > sums.least {
          (sums.least, tightest.least) = (least[place] - product, place)
        }
        if greatest[place] - product < sums.greatest {
          (sums.greatest, tightest.greatest) = (greatest[place] - product, place)
        }
      }
      let room = sums.greatest - sums.least
      if room >= 0 && room > best?.room ?? -1 {
        best = Slope(multiplier: multiplier, least: sums.least, greatest: sums.greatest)
      }
      if room >= 1 << 15 || tightest.least == tightest.greatest { break }
      if tightest.greatest < tightest.least { low = multiplier + 1 } else { high = multiplier - 1 }
    }
    return best
  }
}

/// A multiplier and the interval of numbers that may be added to its products.
private struct Slope {
  var multiplier: Int
  var least, greatest: Int

  var room: Int { greatest - least }

  /// The affine function for arguments that are increased by `fraction` / 256.
  func part(fraction: Int) -> AffineTable.Function? {
    let sum = fraction * multiplier + 1 << 14
    // The smallest offset that reaches the lower bound.
    let offset = max(-0x8000, -((sum - least) >> 15))
    guard offset <= 0x7FFF, sum + offset << 15 <= greatest else { return nil }
    return AffineTable.Function(multiplier: Int16(multiplier), offset: Int16(offset))
  }
}

/// A table of bytes in the order of its arguments, with entries as signed numbers.
private struct TabulatedFunction {
  private let entries: [Int]
  private let minimum, maximum: Int
  /// The range of indices outside of which all entries equal those at its ends.
  private let places: ClosedRange<Int>
  /// The index of the argument zero.
  private let origin: Int

  init(_ table: ByteTable, from argument: ElementType, to result: ElementType) {
    let origin = argument == .int8 ? 128 : 0
    self.origin = origin
    let entries = (0..<256).map { place in
      let entry = table.entries[place ^ origin]
      return result == .int8 ? Int(Int8(bitPattern: entry)) : Int(entry) - 128
    }
    self.entries = entries
    minimum = entries.min() ?? 0
    maximum = entries.max() ?? 0
    let first = entries.firstIndex { $0 != entries[0] }
    let last = entries.lastIndex { $0 != entries[255] }
    places = if let first, let last { first - 1...max(first - 1, last + 1) } else { 0...0 }
  }

  /// Whether the entries are within two of the straight line between the second and the
  /// second-last.
  ///
  /// Rounding may move line and entry by one each. The first and the last entry may be clamped.
  private func isStraight(_ places: ClosedRange<Int>) -> Bool {
    guard places.count > 3 else { return true }
    let (begin, end) = (places.lowerBound + 1, places.upperBound - 1)
    let rise = entries[end] - entries[begin]
    return (begin...end).allSatisfy { place in
      let expected = entries[begin] + rise * (place - begin) / (end - begin)
      return abs(entries[place] - expected) <= 2
    }
  }

  /// The indices at which the function may bend; `nil` stands for no bend.
  func bends(zeroPoint: Int) -> [Int?] {
    var bends: [Int?] = isStraight(places) ? [nil] : []
    // Hostile models may have any zero point, so this addition wraps.
    let place = zeroPoint &+ origin
    if places.contains(place), isStraight(places.lowerBound...place),
      isStraight(place...places.upperBound)
    {
      bends.append(place)
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

  /// The affine table with these entries, for bytes whose sign bits are not toggled.
  func fit(bend: Int?, shift: Int) -> AffineTable? {
    let bounds = bounds(shift)
    guard let slope = bounds.slope((bend ?? 0)..<256),
      let slopeBelow = bend.map({ bounds.slope(0..<$0) }) ?? slope
    else { return nil }
    for fraction in 0..<256 {
      guard let part = slope.part(fraction: fraction),
        let functionBelow = slopeBelow.part(fraction: fraction)
      else { continue }
      let line = AffineTable(
        part: part, functionBelow: functionBelow, bend: bend.map { Int8($0 - 128) },
        fraction: UInt8(fraction), shift: UInt8(shift), minimum: Int8(minimum),
        maximum: Int8(maximum), argumentSignToggle: 0, entrySignToggle: 0)
      // Saturated sums may differ from the sums for which the bounds hold.
      if (0..<256).allSatisfy({ line.entry(of: $0 - 128) == entries[$0] }) { return line }
    }
    return nil
  }

  /// The bounds of the sums that are rounded to the entries.
  private func bounds(_ shift: Int) -> Bounds {
    let unit = 1 << (15 + shift)
    return Bounds(
      least: entries.map { $0 > minimum ? $0 * unit : -Bounds.infinity },
      greatest: entries.map { $0 < maximum ? ($0 + 1) * unit - 1 : Bounds.infinity })
  }
}
