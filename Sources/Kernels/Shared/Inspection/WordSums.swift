import OcellusKernelABI

// The sums of `WordSums`, eight words at a time.

private typealias Words = SIMD8<UInt64>

/// The sums of every eighth word, and the keys of the next ones.
private struct LaneSums {
  var keys: Words
  var words = Words.zero
  var products = Words.zero

  /// Adds words, one for each lane.
  ///
  /// - Parameters:
  ///   - some: The words.
  ///   - step: How far apart the places of words are that a lane meets one after the other.
  ///   - wanted: Of lanes that count all bits, of others none.
  @inline(__always)
  mutating func add(_ some: Words, step: UInt64, among wanted: Words = Words(repeating: .max)) {
    let keyed = some ^ keys
    words &+= some & wanted
    products &+= (keyed & wanted & Words(repeating: 0xFFFF_FFFF)) &* (keyed &>> 32)
    keys &+= Words(repeating: step &* WordSums.keyStep)
  }

  var total: WordSums {
    var total = WordSums()
    for lane in 0..<Words.scalarCount {
      total.words &+= words[lane]
      total.products &+= products[lane]
    }
    return total
  }
}

func sumWords(_ memory: UnsafeRawPointer, _ blockCount: Int) -> WordSums {
  // Four groups of lanes hide how long it takes to add a word.
  var first = LaneSums(keys: keys(from: 0, step: 1))
  var second = LaneSums(keys: keys(from: 8, step: 1))
  var third = LaneSums(keys: keys(from: 16, step: 1))
  var fourth = LaneSums(keys: keys(from: 24, step: 1))
  for block in 0..<blockCount {
    let words = memory + block &* Inspection.blockByteCount
    first.add(words.loadUnaligned(as: Words.self), step: 32)
    second.add((words + 64).loadUnaligned(as: Words.self), step: 32)
    third.add((words + 128).loadUnaligned(as: Words.self), step: 32)
    fourth.add((words + 192).loadUnaligned(as: Words.self), step: 32)
  }
  var total = first.total
  total += second.total
  total += third.total
  total += fourth.total
  return total
}

/// The keys of eight places.
private func keys(from place: Int, step: Int) -> Words {
  var keys = Words.zero
  for lane in 0..<Words.scalarCount { keys[lane] = WordSums.key(of: place &+ lane &* step) }
  return keys
}

/// The columns that are summed side by side: as many as a line of the cache has.
private let columnsAtOnce = 16

func sumColumns(_ memory: UnsafeRawPointer, _ rows: Int, _ columns: Int) -> WordSums {
  var sums = ColumnSums(rows: rows, columns: columns)
  var column = 0
  while column &+ columnsAtOnce <= columns {
    sums.add(memory, from: column)
    column &+= columnsAtOnce
  }
  var total = WordSums()
  if column < columns { total = sums.addLast(memory, from: column) }
  total += sums.even.total
  total += sums.odd.total
  return total
}

/// The sums over columns with even and with odd numbers.
private struct ColumnSums {
  let rows: Int
  let columns: Int
  var even: LaneSums
  var odd: LaneSums
  /// The keys of the first words of the columns that come next.
  private var next: (even: Words, odd: Words)

  init(rows: Int, columns: Int) {
    (self.rows, self.columns) = (rows, columns)
    next = (keys(from: 0, step: rows), keys(from: rows / 2, step: rows))
    (even, odd) = (LaneSums(keys: next.even), LaneSums(keys: next.odd))
  }

  /// Adds whole lines.
  @inline(__always)
  mutating func add(_ memory: UnsafeRawPointer, from column: Int) {
    (even.keys, odd.keys) = next
    let all = Words(repeating: .max)
    var row = 0
    while row < rows {
      addRows(memory + (row &* columns &+ column) &* 4, among: (all, all))
      row &+= 2
    }
    let keysOfLine =
      UInt64(truncatingIfNeeded: columnsAtOnce &* rows / 2) &* WordSums.keyStep
    next.even &+= Words(repeating: keysOfLine)
    next.odd &+= Words(repeating: keysOfLine)
  }

  /// Adds the columns behind the last whole line.
  ///
  /// - Returns: the sums over what is left, where whole lines would leave the matrix.
  mutating func addLast(_ memory: UnsafeRawPointer, from column: Int) -> WordSums {
    (even.keys, odd.keys) = next
    var wanted = (even: Words.zero, odd: Words.zero)
    for last in 0..<columns &- column {
      if last % 2 == 0 { wanted.even[last / 2] = .max } else { wanted.odd[last / 2] = .max }
    }
    var row = 0
    while row < rows,
      (row &+ 1) &* columns &+ column &+ columnsAtOnce <= rows &* columns
    {
      addRows(memory + (row &* columns &+ column) &* 4, among: wanted)
      row &+= 2
    }
    var rest = WordSums()
    while row < rows {
      for column in column..<columns {
        let element = memory + (row &* columns &+ column) &* 4
        let word =
          UInt64(element.loadUnaligned(as: UInt32.self))
          | UInt64((element + columns &* 4).loadUnaligned(as: UInt32.self)) &<< 32
        rest.add(word, at: (column &* rows &+ row) / 2)
      }
      row &+= 2
    }
    return rest
  }

  /// Adds a line and the one below it.
  @inline(__always)
  private mutating func addRows(_ line: UnsafeRawPointer, among wanted: (even: Words, odd: Words)) {
    let upper = line.loadUnaligned(as: Words.self)
    let lower = (line + columns &* 4).loadUnaligned(as: Words.self)
    let low = Words(repeating: 0xFFFF_FFFF)
    even.add((upper & low) | (lower &<< 32), step: 1, among: wanted.even)
    odd.add((upper &>> 32) | (lower & ~low), step: 1, among: wanted.odd)
  }
}
