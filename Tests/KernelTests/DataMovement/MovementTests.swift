import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

@Suite struct MovementTests {
  @Test(arguments: tables.indices)
  func rowsAreCopied(table: Int) {
    for columns in awkwardSizes {
      for gap in [0, 2] {
        checkCopy(columns: columns, gap: gap, tables[table].dataMovement.copyRows)
      }
    }
  }

  /// Copies rows that lie one byte apart to rows with `gap` unused bytes between them.
  private func checkCopy(columns: Int, gap: Int, _ copyRows: DataMovement.Kernel) {
    var random = SeededGenerator(seed: 41)
    let source = random.bytes(5 * columns + 4, isSigned: false)
    let input = GuardedMemory(source)
    let output = GuardedMemory<UInt8>(count: 5 * columns + 4 * gap, filledWith: 77)
    copyRows(
      CopyArguments(
        source: input.start, target: output.start, rowCount: 5, columnCount: columns,
        sourceStride: columns + 1, targetStride: columns + gap))
    var want = [UInt8](repeating: 77, count: output.count)
    for row in 0..<5 {
      for column in 0..<columns {
        want[row * (columns + gap) + column] = source[row * (columns + 1) + column]
      }
    }
    #expect(output.elements == want, "\(columns) columns, gap \(gap)")
  }

  @Test(arguments: tables.indices)
  func rowsAreGathered(table: Int) {
    var random = SeededGenerator(seed: 42)
    let rows: [Int32] = [3, 0, 0, 6, 2]
    for rowBytes in awkwardSizes {
      let source = random.bytes(7 * rowBytes, isSigned: false)
      let input = GuardedMemory(source)
      let list = GuardedMemory(rows)
      let output = GuardedMemory<UInt8>(count: rows.count * rowBytes, filledWith: 77)
      tables[table].dataMovement.gatherRows(
        GatheringArguments(
          source: input.start, target: output.start, rowBytes: rowBytes, rows: list.start,
          count: rows.count))
      let want = rows.flatMap { source[Int($0) * rowBytes..<(Int($0) + 1) * rowBytes] }
      #expect(output.elements == want, "\(rowBytes) bytes")
    }
  }

  @Test(arguments: tables.indices)
  func rowsAreCopiedBackwards(table: Int) {
    let dataMovement = tables[table].dataMovement
    checkReversal(of: UInt8.self, dataMovement.reverse1)
    checkReversal(of: UInt16.self, dataMovement.reverse2)
    checkReversal(of: Int32.self, dataMovement.reverse4)
    checkReversal(of: Int64.self, dataMovement.reverse8)
  }

  /// Reverses three rows with one unused element between them.
  private func checkReversal<Element: FixedWidthInteger & BitwiseCopyable & Sendable>(
    of _: Element.Type, _ reverse: DataMovement.Kernel
  ) {
    let width = MemoryLayout<Element>.size
    for columns in awkwardSizes {
      let source = (0..<3 * columns + 2).map { Element(truncatingIfNeeded: $0 &* 37) }
      let input = GuardedMemory(source)
      let output = GuardedMemory<Element>(count: 3 * columns, filledWith: 77)
      reverse(
        CopyArguments(
          source: input.start + (columns - 1), target: output.start, rowCount: 3,
          columnCount: columns, sourceStride: (columns + 1) * width,
          targetStride: columns * width))
      let want = (0..<3).flatMap { (row: Int) -> [Element] in
        let start = row * (columns + 1)
        return source[start..<start + columns].reversed()
      }
      #expect(output.elements == want, "\(columns) elements of \(width) bytes")
    }
  }

  @Test(arguments: tables.indices)
  func rowsBecomeColumns(table: Int) {
    let dataMovement = tables[table].dataMovement
    checkTransposition(of: UInt8.self, dataMovement.transpose1)
    checkTransposition(of: UInt16.self, dataMovement.transpose2)
    checkTransposition(of: Int32.self, dataMovement.transpose4)
  }

  private func checkTransposition<Element: FixedWidthInteger & BitwiseCopyable & Sendable>(
    of type: Element.Type, _ transpose: DataMovement.Kernel
  ) {
    for rows in awkwardSizes + [257, 300] {
      for columns in [1, 2, 3, 4, 5, 8, 16, 17, 31, 64, 259] {
        checkTransposition(of: type, rows, columns, gap: 0, transpose)
        checkTransposition(of: type, rows, columns, gap: 2, transpose)
      }
    }
  }

  /// Transposes rows with `gap` unused elements between them.
  private func checkTransposition<Element: FixedWidthInteger & BitwiseCopyable & Sendable>(
    of type: Element.Type, _ rows: Int, _ columns: Int, gap: Int, _ transpose: DataMovement.Kernel
  ) {
    let width = MemoryLayout<Element>.stride
    let sourceStride = columns + gap
    let targetStride = rows + gap / 2
    let source = (0..<rows * sourceStride - gap).map {
      Element(truncatingIfNeeded: $0 &* 40503 >> 3)
    }
    let input = GuardedMemory(source)
    let output = GuardedMemory<Element>(
      count: columns * targetStride - gap / 2, filledWith: 77)
    transpose(
      CopyArguments(
        source: input.start, target: output.start, rowCount: rows, columnCount: columns,
        sourceStride: sourceStride * width, targetStride: targetStride * width))
    var want = [Element](repeating: 77, count: output.count)
    for row in 0..<rows {
      for column in 0..<columns {
        want[column * targetStride + row] = source[row * sourceStride + column]
      }
    }
    #expect(output.elements == want, "\(rows) rows, \(columns) columns of \(type), gap \(gap)")
  }
}
