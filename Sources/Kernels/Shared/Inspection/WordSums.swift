import OcellusKernelABI

// Computes `WordSums` eight words at a time.

private typealias Words = SIMD8<UInt64>

/// The sums over every eighth word, one per lane, and the keys of the next words.
private struct LaneSums {
  var keys: Words
  var words = Words.zero
  var products = Words.zero

  /// Adds one word to each lane.
  ///
  /// - Parameters:
  ///   - some: The words.
  ///   - step: The difference between the indices of consecutive words of a lane.
  ///   - wanted: A mask with all bits set in the lanes to add.
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

// Not taken: digests on another thread while the next node runs (eight models no faster, deeplabv3
// a quarter slower on Sapphire Rapids: tensors move between the caches of two cores).
func sumWords(_ memory: UnsafeRawPointer, _ blockCount: Int) -> WordSums {
  // Four groups of accumulators hide the latency of an addition.
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

/// Returns the keys of eight indices.
private func keys(from index: Int, step: Int) -> Words {
  var keys = Words.zero
  for lane in 0..<Words.scalarCount { keys[lane] = WordSums.key(of: index &+ lane &* step) }
  return keys
}

/// The number of columns that are summed side by side: those of one cache line.
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

/// The sums over columns with even and with odd indices.
private struct ColumnSums {
  let rows: Int
  let columns: Int
  var even: LaneSums
  var odd: LaneSums
  /// The keys of the first words of the next columns.
  private var next: (even: Words, odd: Words)

  init(rows: Int, columns: Int) {
    (self.rows, self.columns) = (rows, columns)
    next = (keys(from: 0, step: rows), keys(from: rows / 2, step: rows))
    (even, odd) = (LaneSums(keys: next.even), LaneSums(keys: next.odd))
  }

  /// Adds the columns of one cache line.
  @inline(__always)
  mutating func add(_ memory: UnsafeRawPointer, from column: Int) {
    (even.keys, odd.keys) = next
    let all = Words(repeating: .max)
    var row = 0
    while row < rows {
      addRows(memory + (row &* columns &+ column) &* 4, among: (all, all))
      row &+= 2
    }
    let keyDistance =
      UInt64(truncatingIfNeeded: columnsAtOnce &* rows / 2) &* WordSums.keyStep
    next.even &+= Words(repeating: keyDistance)
    next.odd &+= Words(repeating: keyDistance)
  }

  /// Adds the columns after the last whole cache line.
  ///
  /// - Returns: the sums over the last rows, where reading a whole cache line would leave the
  ///   matrix.
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

  /// Adds the words of two consecutive rows.
  @inline(__always)
  private mutating func addRows(
    _ address: UnsafeRawPointer, among wanted: (even: Words, odd: Words)
  ) {
    let upper = address.loadUnaligned(as: Words.self)
    let lower = (address + columns &* 4).loadUnaligned(as: Words.self)
    let low = Words(repeating: 0xFFFF_FFFF)
    even.add((upper & low) | (lower &<< 32), step: 1, among: wanted.even)
    odd.add((upper &>> 32) | (lower & ~low), step: 1, among: wanted.odd)
  }
}
