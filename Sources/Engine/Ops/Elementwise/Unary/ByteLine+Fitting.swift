package import OcellusKernelABI

extension ByteLine {
  /// Puts a table into this form.
  ///
  /// An entry says between which two numbers the sum lies that it is rounded from. So a multiplier is right
  /// if it leaves something between the greatest lower and the smallest upper bound of what is added to
  /// products; the one that leaves the most is found by halving, since that room grows up to it and shrinks
  /// beyond. Clamped entries bound their sums on one side alone.
  ///
  /// - Returns: `nil` if the table is no line, or one that bends elsewhere than at the zero point.
  package init?(
    _ table: ByteTable, from argument: ElementType, to result: ElementType, zeroPoint: Int
  ) {
    let line = TabulatedLine(table, from: argument, to: result)
    for bend in line.bends(zeroPoint: zeroPoint) {
      for shift in line.shifts {
        guard var found = line.fit(bend: bend, shift: shift) else { continue }
        found.argumentFlip = argument == .int8 ? 0 : 0x80
        found.entryFlip = result == .int8 ? 0 : 0x80
        self = found
        return
      }
    }
    return nil
  }

  /// The entry of an argument, both as signed numbers.
  fileprivate func entry(of argument: Int) -> Int {
    let part = bend.map { argument < $0 } ?? false ? partBelow : part
    let product = (256 * argument + Int(fraction)) * Int(part.multiplier)
    let sum = (product + 1 << 14) >> 15 + Int(part.offset)
    return (sum.clamped(to: -0x8000...0x7FFF) >> Int(shift)).clamped(
      to: Int(minimum)...Int(maximum))
  }
}

/// What the sums of a line must be at least and at most, place by place.
private struct Bounds {
  var least, greatest: [Int]

  /// More than any sum.
  static let infinity = 1 << 40

  /// The multiplier that leaves the most room at some places, or the first that leaves enough for every fraction.
  func slope(_ places: Range<Int>) -> Slope? {
    // The product of -2¹⁵ with itself is the only one that is too large for 16 bits.
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

/// A multiplier, and what may be added to its products.
private struct Slope {
  var multiplier: Int
  var least, greatest: Int

  var room: Int { greatest - least }

  /// The line whose arguments are so much more than they say.
  func part(fraction: Int) -> ByteLine.Part? {
    let sum = fraction * multiplier + 1 << 14
    // The least that is not below the bound.
    let offset = max(-0x8000, -((sum - least) >> 15))
    guard offset <= 0x7FFF, sum + offset << 15 <= greatest else { return nil }
    return ByteLine.Part(multiplier: Int16(multiplier), offset: Int16(offset))
  }
}

/// A table of bytes in the order of its arguments, with entries as signed numbers.
private struct TabulatedLine {
  private let entries: [Int]
  private let minimum, maximum: Int
  /// The places beyond which all entries are the same as at these ends.
  private let places: ClosedRange<Int>
  /// The place of the argument zero.
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

  /// Whether entries are within two of the straight line between the two that follow the ends.
  ///
  /// Rounded, line and entry may be apart by one each. The ends themselves may be clamped.
  private func isStraight(_ places: ClosedRange<Int>) -> Bool {
    guard places.count > 3 else { return true }
    let (begin, end) = (places.lowerBound + 1, places.upperBound - 1)
    let rise = entries[end] - entries[begin]
    return (begin...end).allSatisfy { place in
      let expected = entries[begin] + rise * (place - begin) / (end - begin)
      return abs(entries[place] - expected) <= 2
    }
  }

  /// Where the line may bend: `nil` stands for nowhere.
  func bends(zeroPoint: Int) -> [Int?] {
    var bends: [Int?] = isStraight(places) ? [nil] : []
    // Zero points of hostile models may be any.
    let place = zeroPoint &+ origin
    if places.contains(place), isStraight(places.lowerBound...place),
      isStraight(place...places.upperBound)
    {
      bends.append(place)
    }
    return bends
  }

  /// The places that sums may be shifted by: the more, the finer the steps of multipliers, as long as these and
  /// the sums have 16 bits.
  var shifts: [Int] {
    let run = 16
    let rise = (0..<256 - run).reduce(0) { max($0, abs(entries[$1 + run] - entries[$1])) }
    return (0...9).reversed().filter { shift in
      // Rounding may have added one.
      (rise - 1) << (shift + 7) <= 0x7FFF * run && minimum << shift >= -0x8000
        && maximum << shift <= 0x7FFF
    }
  }

  /// The line with these entries, of bytes without flips.
  func fit(bend: Int?, shift: Int) -> ByteLine? {
    let bounds = bounds(shift)
    guard let slope = bounds.slope((bend ?? 0)..<256),
      let slopeBelow = bend.map({ bounds.slope(0..<$0) }) ?? slope
    else { return nil }
    for fraction in 0..<256 {
      guard let part = slope.part(fraction: fraction),
        let partBelow = slopeBelow.part(fraction: fraction)
      else { continue }
      let line = ByteLine(
        part: part, partBelow: partBelow, bend: bend.map { Int8($0 - 128) },
        fraction: UInt8(fraction), shift: UInt8(shift), minimum: Int8(minimum),
        maximum: Int8(maximum), argumentFlip: 0, entryFlip: 0)
      // Sums that saturate may be others than those that the bounds are for.
      if (0..<256).allSatisfy({ line.entry(of: $0 - 128) == entries[$0] }) { return line }
    }
    return nil
  }

  /// The sums that are rounded to the entries.
  private func bounds(_ shift: Int) -> Bounds {
    let unit = 1 << (15 + shift)
    return Bounds(
      least: entries.map { $0 > minimum ? $0 * unit : -Bounds.infinity },
      greatest: entries.map { $0 < maximum ? ($0 + 1) * unit - 1 : Bounds.infinity })
  }
}
