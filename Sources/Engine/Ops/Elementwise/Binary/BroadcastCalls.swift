import OcellusKernelABI

/// The loops of a binary operator over two operands, as calls of a row kernel.
///
/// Short rows that one operand repeats, such as one value per channel, are copied several times
/// into scratch memory to give the kernel long rows.
struct BroadcastCalls: Sendable {
  /// The arguments of one kernel call; offsets and strides are in bytes.
  private struct Call {
    var first: Int
    var second: Int
    var result: Int
    var rowLength: Int
    var rowCount: Int
  }

  /// A row that is copied `copies` times into scratch memory.
  private struct RepeatedRow {
    var source: Int
    var target: Int
    var byteCount: Int
    var copies: Int
  }

  /// The base addresses of operands and result.
  private typealias Rows = (
    first: UnsafeRawPointer, second: UnsafeRawPointer, output: UnsafeMutableRawPointer,
    workers: WorkersReference
  )

  private struct Start {
    var result = 0
    var operands = BroadcastLoops.Offsets.zero
  }

  /// The mapping from elements of the result to elements of the operands.
  private struct RangeMapping {
    /// The length of the row that an operand repeats; 1 if no operand repeats a row.
    let unit: Int
    /// The length of the rows that the kernel sees: a multiple of `unit` if short rows are copied.
    var rowLength: Int
    /// For each operand, 1 where it has as many elements as the result, else 0.
    var strides: BroadcastLoops.Offsets

    init?(_ loops: [BroadcastLoops.Loop]) {
      guard loops.count <= 2, let last = loops.last else { return nil }
      unit = loops.count == 1 ? 1 : loops[0].extent
      rowLength = unit
      strides = last.strides / BroadcastLoops.Offsets(repeating: unit)
      let isRow = loops.count == 1 || (loops[0].strides[0] == 1 && loops[0].strides[1] == 1)
      guard isRow else { return nil }
    }
  }

  private var calls: [Call] = []
  private var repeatedRows: [RepeatedRow] = []
  /// The operand whose rows are repeated, if there is one.
  private var repeatedOperand: Int?
  private var rowStrides: BroadcastLoops.Offsets
  private let elementBytes: Int
  private let resultBytes: Int
  private let elementCount: Int
  /// The mapping of ranges of the result to ranges of the operands; `nil` if there is no such
  /// mapping.
  private var passage: RangeMapping?
  private let firstIsScalar: Bool
  private let secondIsScalar: Bool
  private var itemCount = 1
  private(set) var scratchByteCount = 0

  /// Plans the loops, divided into work items for the threads if the result is large enough.
  ///
  /// - Returns: `nil` where the operands are interleaved such that it takes thousands of calls.
  init?(
    _ first: Shape, _ second: Shape, to result: Shape, elementBytes: Int, resultBytes: Int,
    threadCount: Int
  ) {
    let loops = BroadcastLoops(first, second, to: result).loops
    let row = loops[0]
    let rows = loops.count > 1 ? loops[1] : BroadcastLoops.Loop(extent: 1, strides: .zero)
    guard let starts = Self.starts(of: loops) else { return nil }
    firstIsScalar = row.strides[0] == 0
    secondIsScalar = row.strides[1] == 0
    rowStrides = rows.strides &* elementBytes
    self.elementBytes = elementBytes
    self.resultBytes = resultBytes
    elementCount = result.elementCount
    passage = RangeMapping(loops)
    // Waking a thread takes about as long as some tens of thousands of elements.
    let isShared = threadCount > 1 && result.elementCount >= 1 << 14
    let maximumItemCount = isShared ? 2 * threadCount : 1
    let callsPerStart = (maximumItemCount + starts.count - 1) / starts.count
    if let operand = Self.repeatedOperand(row: row, rows: rows), starts.count <= 256 {
      repeatedOperand = operand
      rowStrides[operand] = 0
      for start in starts {
        addRepeated(
          start, row: row.extent, rows: rows.extent, operand: operand, callCount: callsPerStart,
          elementBytes: elementBytes)
      }
    } else {
      for start in starts {
        add(
          start, row: row, rows: rows, callCount: callsPerStart, elementBytes: elementBytes)
      }
    }
    itemCount = min(calls.count, maximumItemCount)
  }

  /// Returns the starts of the two innermost loops, for all iterations of the outer loops.
  private static func starts(of loops: [BroadcastLoops.Loop]) -> [Start]? {
    var starts = [Start()]
    var distance = loops.prefix(2).reduce(1) { $0 * $1.extent }
    for loop in loops.dropFirst(2) {
      guard starts.count * loop.extent <= 1 << 14 else { return nil }
      starts = (0..<loop.extent).flatMap { index in
        starts.map {
          Start(
            result: $0.result + index * distance,
            operands: $0.operands &+ loop.strides &* index)
        }
      }
      distance *= loop.extent
    }
    return starts
  }

  /// Returns the operand that repeats one short row, while the other operand is contiguous.
  private static func repeatedOperand(
    row: BroadcastLoops.Loop, rows: BroadcastLoops.Loop
  ) -> Int? {
    guard rows.extent > 1, row.extent < 128, row.strides[0] == 1, row.strides[1] == 1
    else { return nil }
    return (0..<2).first { rows.strides[$0] == 0 && rows.strides[1 - $0] == row.extent }
  }

  private mutating func addRepeated(
    _ start: Start, row: Int, rows: Int, operand: Int, callCount: Int, elementBytes: Int
  ) {
    // Rows this long hide the cost of starting a row.
    let copies = min(rows, (511 + row) / row)
    passage?.rowLength = copies * row
    let source = start.operands[operand] * elementBytes
    repeatedRows.append(
      RepeatedRow(
        source: source, target: scratchByteCount, byteCount: row * elementBytes,
        copies: copies))
    var operands = start.operands &* elementBytes
    operands[operand] = scratchByteCount
    scratchByteCount += copies * row * elementBytes
    let other = 1 - operand
    let longRow = copies * row
    rowStrides[other] = longRow * elementBytes
    var result = start.result * resultBytes
    func addCall(length: Int, count: Int) {
      guard count > 0 else { return }
      calls.append(
        Call(
          first: operands[0], second: operands[1], result: result, rowLength: length,
          rowCount: count))
      operands[other] += length * count * elementBytes
      result += length * count * resultBytes
    }
    let longRows = rows / copies
    for call in 0..<callCount {
      addCall(
        length: longRow, count: (call + 1) * longRows / callCount - call * longRows / callCount)
    }
    addCall(length: rows % copies * row, count: rows % copies > 0 ? 1 : 0)
  }

  private mutating func add(
    _ start: Start, row: BroadcastLoops.Loop, rows: BroadcastLoops.Loop, callCount: Int,
    elementBytes: Int
  ) {
    func addCall(row firstRow: Int, column: Int, length: Int, count: Int) {
      guard length > 0, count > 0 else { return }
      let operands =
        (start.operands &+ rows.strides &* firstRow &+ row.strides &* column) &* elementBytes
      calls.append(
        Call(
          first: operands[0], second: operands[1],
          result: (start.result + firstRow * row.extent + column) * resultBytes,
          rowLength: length, rowCount: count))
    }
    if rows.extent > 1 {
      for call in 0..<callCount {
        let bounds = call * rows.extent / callCount..<(call + 1) * rows.extent / callCount
        addCall(row: bounds.lowerBound, column: 0, length: row.extent, count: bounds.count)
      }
    } else {
      // Work items start at cache line boundaries.
      let step = max((row.extent / callCount + 63) / 64 * 64, 1)
      for column in stride(from: 0, to: row.extent, by: callCount > 1 ? step : row.extent) {
        let length = callCount > 1 ? min(step, row.extent - column) : row.extent
        addCall(row: 0, column: column, length: length, count: 1)
      }
    }
  }

  /// Returns a step that calls the kernel for all rows of the operands at two positions.
  func step(
    _ kernelName: String, first: Int, second: Int,
    _ kernel: @escaping @Sendable (BinaryRows) -> Void
  ) -> Step {
    let isShort = calls.allSatisfy { $0.rowLength &* $0.rowCount <= Step.longestSlice }
    let loop = WorkItemLoop<Rows> { rows, item in
      var work = 0
      for index in item * calls.count / itemCount..<(item + 1) * calls.count / itemCount {
        let call = calls[index]
        let block = BinaryRows(
          first: rows.first + call.first, second: rows.second + call.second,
          output: rows.output + call.result, rowLength: call.rowLength,
          rowCount: call.rowCount, firstStride: rowStrides[0], secondStride: rowStrides[1],
          firstIsScalar: firstIsScalar, secondIsScalar: secondIsScalar)
        if isShort { kernel(block) } else { runSlices(of: block, rows.workers, kernel) }
        work &+= call.rowLength &* call.rowCount
        guard work > Step.longestSlice else { continue }
        if rows.workers.isOver { return }
        work = 0
      }
    }
    let only = isShort && calls.count == 1 && repeatedOperand == nil ? calls[0] : nil
    var step = Step(kernelName: kernelName, scratchByteCount: scratchByteCount) { step in
      // A single short call does not pay for starting the loops below.
      if let only {
        return kernel(
          BinaryRows(
            first: step.input(first), second: step.input(second), output: step.output(0),
            rowLength: only.rowLength, rowCount: only.rowCount, firstStride: rowStrides[0],
            secondStride: rowStrides[1], firstIsScalar: firstIsScalar,
            secondIsScalar: secondIsScalar))
      }
      if let repeatedOperand {
        copyRepeatedRows(of: step.input(repeatedOperand == 0 ? first : second), in: step.scratch)
      }
      let operands = operands(of: step, first, second)
      step.workers.run(
        itemCount, loop, (operands.first, operands.second, step.output(0), step.workers))
    }
    step.elementwise = elementwise(first: first, second: second, kernel)
    return step
  }

  /// Calls the kernel for slices of the rows, each of which takes little time, until the run is
  /// stopped.
  @inline(never)
  private func runSlices(
    of rows: BinaryRows, _ workers: WorkersReference, _ kernel: @Sendable (BinaryRows) -> Void
  ) {
    let rowsPerCall = max(Step.longestSlice / rows.rowLength, 1)
    workers.forEachSlice(of: 0..<rows.rowCount, length: rowsPerCall) { rowRange in
      workers.forEachSlice(of: 0..<rows.rowLength, length: Step.longestSlice) { columns in
        let (row, column) = (rowRange.lowerBound, columns.lowerBound)
        var slice = rows
        slice.first += row * rowStrides[0] + (firstIsScalar ? 0 : column * elementBytes)
        slice.second += row * rowStrides[1] + (secondIsScalar ? 0 : column * elementBytes)
        slice.output += (row * rows.rowLength + column) * resultBytes
        (slice.rowLength, slice.rowCount) = (columns.count, rowRange.count)
        kernel(slice)
      }
    }
  }

  /// Returns the addresses of the operands as the kernel sees them; repeated rows are in scratch
  /// memory.
  private func operands(
    of step: StepContext, _ first: Int, _ second: Int
  ) -> (first: UnsafeRawPointer, second: UnsafeRawPointer) {
    (
      repeatedOperand == 0 ? UnsafeRawPointer(step.scratch) : step.input(first),
      repeatedOperand == 1 ? UnsafeRawPointer(step.scratch) : step.input(second)
    )
  }

  /// Returns the same work for ranges of the result; `nil` where a range needs more than a range or
  /// a row of the operands.
  private func elementwise(
    first: Int, second: Int, _ kernel: @escaping @Sendable (BinaryRows) -> Void
  ) -> ElementwiseWork? {
    guard let passage else { return nil }
    let strides = passage.strides &* elementBytes
    var operandBytes = [strides[0], strides[1]]
    if first > second { operandBytes.swapAt(0, 1) }
    let preparation = repeatedOperand.map { operand in
      let position = operand == 0 ? first : second
      return ElementwiseWork.Preparation(byteCount: scratchByteCount) { step in
        copyRepeatedRows(of: step.input(position), in: step.scratch)
      }
    }
    return ElementwiseWork(
      elementCount: elementCount, unit: passage.unit, resultBytes: resultBytes,
      operandBytes: operandBytes, preparation: preparation
    ) { step, elements, _ in
      let operands = operands(of: step, first, second)
      func run(from start: Int, rows: Int, of length: Int) {
        kernel(
          BinaryRows(
            first: operands.first + start * strides[0],
            second: operands.second + start * strides[1],
            output: step.output(0) + start * resultBytes, rowLength: length, rowCount: rows,
            firstStride: length * strides[0], secondStride: length * strides[1],
            firstIsScalar: firstIsScalar, secondIsScalar: secondIsScalar))
      }
      // Whole rows first, then the rest of one. Without rows, the range is one row.
      let length = passage.rowLength == 1 ? elements.count : passage.rowLength
      let (rows, rest) = elements.count.quotientAndRemainder(dividingBy: length)
      if rows > 0 { run(from: elements.lowerBound, rows: rows, of: length) }
      if rest > 0 { run(from: elements.upperBound - rest, rows: 1, of: rest) }
    }
  }

  private func copyRepeatedRows(
    of operand: UnsafeRawPointer, in scratch: UnsafeMutableRawPointer
  ) {
    for row in repeatedRows {
      let target = scratch + row.target
      target.copyMemory(from: operand + row.source, byteCount: row.byteCount)
      // Each copy doubles the filled range, so few copies are needed.
      var filled = row.byteCount
      let total = row.byteCount * row.copies
      while filled < total {
        let count = min(filled, total - filled)
        (target + filled).copyMemory(from: target, byteCount: count)
        filled += count
      }
    }
  }
}
