/// Elementwise steps that run one after the other over pieces that stay in the cache, where each
/// by itself would send whole tensors through the memory.
///
/// What only they read has no memory but that of a piece.
struct ElementwiseChain: Sendable {
  /// A step that can be a part of a chain.
  struct Part {
    var node: Node
    var scratchByteCount: Int
    var work: ElementwiseWork
  }

  private struct Link: Sendable {
    var work: ElementwiseWork
    /// Its operands and its result are positions in a table of addresses.
    var tensors: Node
    var scratchOffset: Int
  }

  /// Below so many elements tensors stay in the cache as a whole.
  static let fewestElements = 1 << 14
  static let mostLinks = 32
  /// What a piece of all tensors may take together: about the first cache.
  private static let pieceBudget = 1 << 15

  /// What the chain reads and does not make, by tensor.
  let operands: [Int]
  private var links: [Link] = []
  private let elementCount: Int
  private let piece: Int
  /// What a piece of one of the tensors in between takes at most.
  private let pieceBytes: Int
  private var scratchOfLinks = 0

  /// Chains parts of which all but the last are read by later ones only.
  ///
  /// - Returns: `nil` where they cannot be cut into small pieces.
  init?(_ parts: [Part]) {
    elementCount = parts[0].work.elementCount
    var unit = 1
    for part in parts where unit % part.work.unit != 0 {
      unit *= part.work.unit
      if unit > Self.pieceBudget / 4 { return nil }
    }
    let widest = parts.reduce(1) { max($0, $1.work.resultBytes) }
    let length = Self.pieceBudget / widest / (parts.count + 1)
    piece = (length + unit - 1) / unit * unit
    pieceBytes = ArenaPlanner.aligned(piece * widest)
    let results = parts.map { $0.node.outputs[0] }
    var operands: [Int] = []
    for tensor in parts.flatMap(\.node.inputs)
    where !results.contains(tensor) && !operands.contains(tensor) {
      operands.append(tensor)
    }
    self.operands = operands
    // The table: operands, then results, so that the chain's own comes last.
    let table = operands + results
    for part in parts {
      let tensors = Node(
        spec: part.node.spec, operation: part.node.operation,
        inputs: part.node.inputs.compactMap { table.firstIndex(of: $0) },
        outputs: part.node.outputs.compactMap { table.firstIndex(of: $0) })
      links.append(Link(work: part.work, tensors: tensors, scratchOffset: scratchOfLinks))
      scratchOfLinks += ArenaPlanner.aligned(part.scratchByteCount)
    }
  }

  /// The chain as a step of a node that reads `operands`.
  func step(kernelName: String, threadCount: Int) -> Step {
    let pieceCount = (elementCount + piece - 1) / piece
    let tileCount = threadCount > 1 ? min(2 * threadCount, pieceCount) : 1
    let tiles = TileLoop<StepContext> { step, tile in
      let memory = step.scratch + scratchOfLinks + tile * bytesOfTile
      let bases = addresses(in: memory, step)
      for piece in tile * pieceCount / tileCount..<(tile + 1) * pieceCount / tileCount {
        run(piece, bases, memory, step)
      }
    }
    return Step(
      kernelName: kernelName, scratchByteCount: scratchOfLinks + tileCount * bytesOfTile
    ) { step in
      let bases = addresses(in: step.scratch + scratchOfLinks, step)
      for link in links {
        if let prepare = link.work.prepare { prepare(context(link, bases, step)) }
      }
      step.workers.run(tileCount, tiles, step)
    }
  }

  // The memory of a tile: the table of addresses, then a piece of every tensor in between.

  private var bytesOfTable: Int {
    ArenaPlanner.aligned((operands.count + links.count) * MemoryLayout<Int>.size)
  }

  private var bytesOfTile: Int { bytesOfTable + (links.count - 1) * pieceBytes }

  private func addresses(
    in memory: UnsafeMutableRawPointer, _ step: StepContext
  ) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    let bases = memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    for operand in operands.indices { bases[operand] = step.bases[step.inputs[operand]] }
    bases[operands.count + links.count - 1] = step.output(0)
    return bases
  }

  private func context(
    _ link: Link, _ bases: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ step: StepContext
  ) -> StepContext {
    StepContext(
      inputs: link.tensors.inputTable, outputs: link.tensors.outputTable, bases: bases,
      scratch: step.scratch + link.scratchOffset, workers: step.workers)
  }

  private func run(
    _ index: Int, _ bases: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
    _ memory: UnsafeMutableRawPointer, _ step: StepContext
  ) {
    let elements = index * piece..<min((index + 1) * piece, elementCount)
    links.withUnsafeBufferPointer { links in
      for position in links.indices.dropLast() {
        // Where the tensor would begin if all of it were there.
        bases[operands.count + position] =
          memory + bytesOfTable + position * pieceBytes
          - elements.lowerBound * links[position].work.resultBytes
      }
      for position in links.indices {
        links[position].work.run(context(links[position], bases, step), elements)
      }
    }
  }
}
