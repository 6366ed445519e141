import OcellusAudit
import OcellusPlatform

/// Gives a kernel's scaling every sum that a node's inputs can lead to.
struct SumSweep {
  let node: WeightedNode
  let steps: [ResultSteps]
  private let scalings: [PlainScaling]
  private let engine: any NodeEngine
  private let settings: NodeSettings
  private let kind: WeightedNode.Kind
  private let layout: SumProbe.Layout
  /// The number of columns of a probe, besides those of witnesses.
  private let columnCount: Int
  private let witnesses: [Int]

  /// Prepares to examine a node whose kernel has this strategy.
  ///
  /// - Returns: `nil` if no probe gets the same strategy.
  init?(
    of node: WeightedNode, _ steps: [ResultSteps], _ scalings: [PlainScaling],
    strategy: KernelName?, isExact: Bool, engine: any NodeEngine
  ) throws {
    self.node = node
    self.steps = steps
    self.scalings = scalings
    self.engine = engine
    var settings = NodeSettings()
    settings.strategy = strategy
    settings.isExact = isExact
    self.settings = settings
    witnesses = Self.witnesses(of: node)
    let isGEMM = strategy?.family.hasPrefix("gemm") == true
    let isConvolution = node.kind == .depthwise && isGEMM || node.kind == .transposed
    kind = isConvolution ? .convolution : node.kind
    let first = SumProbe.Column(channel: 0, start: steps.first?.sums.lowerBound ?? 0)
    for layout in SumProbe.Layout.allCases where layout != .windows || kind == .convolution {
      for count in Self.columnCounts(layout, kind) {
        let columns = Array(repeating: first, count: count)
        guard
          let probe = SumProbe(
            of: node, as: kind, layout, columns: columns, witnesses: witnesses),
          try engine.session(of: probe.file, settings).strategy == strategy
        else { continue }
        (self.layout, columnCount) = (layout, count)
        return
      }
    }
    return nil
  }

  /// Returns the channels with the extreme scales and the largest bias.
  private static func witnesses(of node: WeightedNode) -> [Int] {
    let channels = node.biases.indices
    func scale(_ channel: Int) -> Float {
      node.weights.scales.count == 1 ? node.weights.scales[0] : node.weights.scales[channel]
    }
    let found = [
      channels.min { scale($0) < scale($1) }, channels.max { scale($0) < scale($1) },
      channels.max { node.biases[$0].magnitude < node.biases[$1].magnitude },
    ].compactMap { $0 }
    return Array(Set(found)).sorted()
  }

  /// Returns the numbers of columns to try: wide probes are fastest, but some strategies are for few
  /// columns.
  private static func columnCounts(
    _ layout: SumProbe.Layout, _ kind: WeightedNode.Kind
  ) -> [Int] {
    switch (layout, kind) {
    case (.single, .depthwise): [253, 29, 5]
    case (.single, _): [509, 61, 13, 5, 2, 1]
    case (_, .depthwise): [29, 13, 5]
    default: [61, 13, 5, 2, 1]
    }
  }

  // MARK: The sweep

  /// Compares all results with the specification.
  ///
  /// - Returns: the number of results that were compared.
  func run() throws -> Int {
    var comparisonCount = 0
    var waiting: [SumProbe.Column] = []
    for channel in steps.indices {
      for start in starts(of: channel) {
        waiting.append(.init(channel: channel, start: start))
        guard waiting.count == columnCount else { continue }
        comparisonCount += try examine(waiting)
        waiting.removeAll(keepingCapacity: true)
      }
    }
    return comparisonCount + (waiting.isEmpty ? 0 : try examine(waiting))
  }

  /// Returns the first sums of the columns that cover a channel.
  private func starts(of channel: Int) -> [Int64] {
    let sums = steps[channel].sums
    let rows = Int64(SumProbe.rowCount)
    var starts = Array(stride(from: sums.lowerBound, through: sums.upperBound, by: Int(rows)))
    // The last column ends with the last sum, where there is more than one.
    if starts.count > 1 { starts[starts.count - 1] = sums.upperBound - rows + 1 }
    return starts
  }

  private func examine(_ columns: [SumProbe.Column]) throws -> Int {
    // Kernels may behave differently for few columns, so that the last probe is as wide as others.
    let padded = columns + Array(repeating: columns[0], count: columnCount - columns.count)
    guard
      let probe = SumProbe(
        of: node, as: kind, layout, columns: padded, witnesses: witnesses)
    else {
      throw WeightedNode.Refusal(reason: "its sums come too close to 32 bits")
    }
    let session = try engine.session(of: probe.file, settings)
    var expectation = Expectation(of: columns, steps)
    func check(_ start: UnsafeRawPointer, row: Int) throws {
      let wanted = expectation.results(inRow: row)
      guard memcmp(start, wanted, columns.count) != 0 else { return }
      let found = Array(UnsafeRawBufferPointer(start: start, count: columns.count))
      try report(found, wanted, columns, row)
    }
    if layout == .single {
      for row in 0..<SumProbe.rowCount {
        let result = try session.results(of: [probe.operand(number: row)])[0].bytes
        try result.withUnsafeBytes { try $0.baseAddress.map { try check($0, row: row) } }
      }
    } else {
      let (places, width) = (probe.places, padded.count + witnesses.count)
      let result = try session.results(of: [probe.operand()])[0].bytes
      try result.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        for row in 0..<SumProbe.rowCount { try check(start + Int(places[row]) * width, row: row) }
      }
    }
    return columns.count * SumProbe.rowCount
  }

  /// Throws the first fault of a row, unless no input leads to its sum.
  private func report(
    _ found: [UInt8], _ wanted: [UInt8], _ columns: [SumProbe.Column], _ row: Int
  ) throws {
    for (index, column) in columns.enumerated() where found[index] != wanted[index] {
      let sum = column.start + Int64(row)
      guard steps[column.channel].sums.contains(sum) else { continue }
      let isSigned = node.output.isSigned
      func number(_ byte: UInt8) -> Int64 { isSigned ? Int64(Int8(bitPattern: byte)) : Int64(byte) }
      throw KernelFault(
        channel: column.channel, sum: sum, found: number(found[index]),
        wanted: number(wanted[index]))
    }
  }
}

/// The specified results of some columns, row by row.
///
/// Rows are in the order of sums, so a row differs from the one before in few columns.
private struct Expectation {
  private struct Change {
    let row: Int
    let column: Int
    let byte: UInt8
  }

  private var current: [UInt8] = []
  private let changes: [Change]
  private var next = 0

  init(of columns: [SumProbe.Column], _ steps: [ResultSteps]) {
    var changes: [Change] = []
    for (index, column) in columns.enumerated() {
      let steps = steps[column.channel]
      let start = steps.step(of: column.start)
      current.append(UInt8(truncatingIfNeeded: steps.steps[start].result))
      for step in steps.steps[(start + 1)...] {
        let row = Int(step.sum - column.start)
        if row >= SumProbe.rowCount { break }
        changes.append(
          Change(row: row, column: index, byte: UInt8(truncatingIfNeeded: step.result)))
      }
    }
    self.changes = changes.sorted { $0.row < $1.row }
  }

  /// Returns the results of a row; rows must be asked for in order.
  mutating func results(inRow row: Int) -> [UInt8] {
    while next < changes.count, changes[next].row <= row {
      current[changes[next].column] = changes[next].byte
      next += 1
    }
    return current
  }
}
