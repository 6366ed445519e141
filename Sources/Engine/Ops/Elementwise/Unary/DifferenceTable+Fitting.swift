package import OcellusKernelABI

extension DifferenceTable {
  /// Puts a table into this form.
  ///
  /// The difference that is right for a byte lies between two numbers, so what is sought are numbers
  /// that fulfil two conditions a byte on differences. Raising them only as far as conditions demand finds
  /// the smallest that fulfil all. Every line that is rounded to whole numbers has some: around a cycle
  /// of bytes the conditions could only contradict each other by a whole number that the line itself
  /// excludes. As the numbers of the upper bits are bytes, too, a line that saturates at both ends may
  /// have to be shifted.
  ///
  /// - Returns: `nil` if the table is no line, or one that bends elsewhere than at the zero point.
  package init?(
    _ table: ByteTable, from argument: ElementType, to result: ElementType, zeroPoint: Int
  ) {
    let line = TabulatedLine(table, from: argument, to: result)
    for bend in line.bends(zeroPoint: zeroPoint) {
      for shift in line.shifts {
        guard let numbers = line.numbers(bend: bend, shift: shift) else { continue }
        self.init(
          upper: Part(numbers.upper), lower: Part(numbers.lower[..<16]),
          lowerBelowBend: Part(numbers.lower[16...]),
          bend: bend.map { Int8(clamping: $0 - 128 - shift) },
          firstByte: Int8(line.places.lowerBound - 128),
          lastByte: Int8(line.places.upperBound - 128), shift: Int8(shift),
          minimum: Int8(line.minimum), maximum: Int8(line.maximum),
          argumentFlip: argument == .int8 ? 0 : 0x80, entryFlip: result == .int8 ? 0 : 0x80)
        return
      }
    }
    return nil
  }
}

extension DifferenceTable.Part {
  /// Takes sixteen numbers in 128ths.
  fileprivate init(_ numbers: ArraySlice<Int>) {
    self.init(
      wholes: SIMD16(numbers.map { Int8($0 >> 7) }),
      fractions: SIMD16(numbers.map { Int8($0 & 127) }))
  }
}

/// The numbers of a table of differences, in 128ths.
private struct DifferenceNumbers: Equatable {
  /// The smallest that are bytes, those of lower bits also when one is borrowed.
  var upper = ArraySlice(repeating: -128 << 7, count: 16)
  /// Those of lower bits, and behind them those of bytes below the bend.
  var lower = ArraySlice(repeating: -127 << 7, count: 32)

  var areBytes: Bool {
    upper.allSatisfy { $0 < 128 << 7 } && lower.allSatisfy { $0 < 127 << 7 }
  }
}

/// A table of bytes in the order of its arguments, with entries as signed numbers.
private struct TabulatedLine {
  private let entries: [Int]
  let minimum, maximum: Int
  /// The places beyond which all entries are the same as at these ends.
  let places: ClosedRange<Int>
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

  /// How arguments may be shifted without one that falls out of the table.
  var shifts: [Int] {
    var shifts = [0]
    for distance in 1...16 {
      if places.lowerBound >= distance { shifts.append(distance) }
      if places.upperBound + distance <= 255 { shifts.append(-distance) }
    }
    return shifts
  }

  /// The smallest numbers whose differences have these entries.
  func numbers(bend: Int?, shift: Int) -> DifferenceNumbers? {
    var numbers = DifferenceNumbers()
    // A number depends on the others in turn, and there are 48.
    for _ in 0..<48 {
      let before = numbers
      raise(&numbers, bend: bend ?? 0, shift: shift)
      guard numbers.areBytes else { return nil }
      if numbers == before { return numbers }
    }
    return nil
  }

  private func raise(_ numbers: inout DifferenceNumbers, bend: Int, shift: Int) {
    for place in places {
      let entry = entries[place] << 7
      let byte = (place - shift) ^ 0x80
      let upper = byte >> 4
      let lower = byte & 15 + (place < bend ? 16 : 0)
      // The smallest and the greatest entries are clamped.
      if entries[place] > minimum {
        numbers.upper[upper] = max(numbers.upper[upper], numbers.lower[lower] + entry)
      }
      if entries[place] < maximum {
        numbers.lower[lower] = max(numbers.lower[lower], numbers.upper[upper] - entry - 127)
      }
    }
  }
}
