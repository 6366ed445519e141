package import OcellusKernelABI

extension DifferenceTable {
  /// Puts a table into this form.
  ///
  /// The difference that is right for a byte lies between two numbers, so what is sought are numbers
  /// that fulfil 512 conditions on differences. Raising them only as far as conditions demand finds the
  /// smallest that fulfil all. Every line that is rounded to whole numbers has some: around a cycle of
  /// bytes the conditions could only contradict each other by a whole number that the line itself
  /// excludes. Only a line that saturates at both ends may have to be shifted, as the numbers of
  /// the upper bits are bytes, too.
  ///
  /// - Returns: `nil` if the table is not a line with one bend at most, or is too steep.
  package init?(_ table: ByteTable, from argument: ElementType, to result: ElementType) {
    let line = TabulatedLine(table, from: argument, to: result)
    for bend in line.bends {
      for shift in line.shifts {
        guard let numbers = line.numbers(bend: bend, shift: shift) else { continue }
        self.init(
          upper: Part(numbers.upper), lower: Part(numbers.lower[..<16]),
          lowerBelowBend: Part(numbers.lower[16...]),
          bend: bend.map { Int8(clamping: $0 - 128 - shift) }, shift: Int8(shift),
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
  /// The places between the ends of which all entries are the same.
  private let sloped: ClosedRange<Int>

  init(_ table: ByteTable, from argument: ElementType, to result: ElementType) {
    let flip = argument == .int8 ? 0x80 : 0
    let entries = (0..<256).map { place in
      let entry = table.entries[place ^ flip]
      return result == .int8 ? Int(Int8(bitPattern: entry)) : Int(entry) - 128
    }
    self.entries = entries
    minimum = entries.min() ?? 0
    maximum = entries.max() ?? 0
    let first = entries.firstIndex { $0 != entries[0] } ?? 0
    let last = entries.lastIndex { $0 != entries[255] } ?? 255
    sloped = first <= last ? first...last : 0...255
  }

  /// How far an entry is from the straight line between two others.
  private func distance(_ place: Int, from line: ClosedRange<Int>) -> Int {
    guard line.count > 1 else { return 0 }
    let (first, last) = (entries[line.lowerBound], entries[line.upperBound])
    let rise = (last - first) * (place - line.lowerBound) / (line.count - 1)
    return abs(entries[place] - first - rise)
  }

  private func isStraight(_ places: ClosedRange<Int>) -> Bool {
    // Rounded, the line and the entry may be apart by one each.
    places.allSatisfy { distance($0, from: places) <= 2 }
  }

  /// Where the line may bend, if it does once: `nil` stands for nowhere.
  var bends: [Int?] {
    let distances = sloped.map { distance($0, from: sloped) }
    let greatest = distances.max() ?? 0
    guard let first = distances.firstIndex(of: greatest),
      let last = distances.lastIndex(of: greatest)
    else { return [] }
    let middle = sloped.lowerBound + (first + last) / 2
    guard isStraight(sloped.lowerBound...middle), isStraight(middle...sloped.upperBound) else {
      return []
    }
    let places = [0, 1, -1, 2, -2].map { middle + $0 }.filter(sloped.contains)
    return greatest <= 2 ? [nil] + places : places
  }

  /// How arguments may be shifted without a change in entries: those that saturate have the same ones.
  var shifts: [Int] {
    guard sloped.lowerBound > 0, sloped.upperBound < 255 else { return [0] }
    return [0]
      + (1...16).flatMap { [$0, -$0] }
      .filter { $0 < sloped.lowerBound && $0 > sloped.upperBound - 255 }
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
    for place in 0..<256 {
      let entry = entries[place] << 7
      let byte = (place - shift).clamped(to: 0...255) ^ 0x80
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
