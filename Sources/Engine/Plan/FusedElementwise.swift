/// Consecutive elementwise steps that are fused: they run one after the other over slices that stay
/// in the cache, where separate steps would send whole tensors through memory.
///
/// A tensor that only steps of the group read is stored one slice at a time.
struct FusedElementwise: Sendable {
  /// A step that can join a fused group.
  struct Part {
    var node: Node
    var work: ElementwiseWork
  }

  private struct Link: Sendable {
    var work: ElementwiseWork
    /// The node whose operands and result are positions in the table of addresses.
    var tensors: Node
    /// The offsets of its scratch in that of a work item, and of its prepared data in the step's.
    var scratchOffset: Int
    var preparedOffset: Int
  }

  /// Tensors with fewer elements stay in the cache as a whole.
  static let minimumElementCount = 1 << 14
  static let maximumStepCount = 32
  /// The number of bytes that one slice of all tensors may take: about the L1 cache, or a part of
  /// L2 where a matrix multiplication in the group wants many rows at once.
  private static let sliceBudget = 1 << 15
  private static let largeSliceBudget = 1 << 18

  /// The tensors that the group reads and does not compute.
  let operands: [Int]
  private var links: [Link] = []
  private let elementCount: Int
  private let sliceLength: Int
  /// The number of bytes reserved for a slice of one intermediate tensor.
  private let sliceBytes: Int
  private var preparedBytes = 0
  private var scratchOfItem = 0

  /// Fuses steps of which all but the last are read only by later ones of the group.
  ///
  /// - Returns: `nil` where a slice that fits all units would not stay in the cache.
  init?(_ members: [Part], threadCount: Int) {
    elementCount = members[0].work.elementCount
    let budget =
      members.allSatisfy(\.work.followsOperands) ? Self.sliceBudget : Self.largeSliceBudget
    let maximumResultBytes = members.reduce(1) { max($0, $1.work.resultBytes) }
    let length = budget / maximumResultBytes / (members.count + 1)
    guard let unit = Self.commonUnit(members, upTo: 2 * length) else { return nil }
    // Each thread gets the same number of slices, of about equal size.
    let minimumCount = (elementCount + length - 1) / length
    let count = (minimumCount + threadCount - 1) / threadCount * threadCount
    sliceLength = max((elementCount + count * unit - 1) / (count * unit), 1) * unit
    sliceBytes = ArenaPlanner.aligned(sliceLength * maximumResultBytes)
    let results = members.map { $0.node.outputs[0] }
    var operands: [Int] = []
    for tensor in members.flatMap(\.node.inputs)
    where !results.contains(tensor) && !operands.contains(tensor) {
      operands.append(tensor)
    }
    self.operands = operands
    // The table holds operands, then results: the last result is that of the group.
    let table = operands + results
    for member in members {
      let tensors = Node(
        member.node, operation: member.node.operation,
        inputs: member.node.inputs.compactMap { table.firstIndex(of: $0) },
        outputs: member.node.outputs.compactMap { table.firstIndex(of: $0) })
      links.append(
        Link(
          work: member.work, tensors: tensors, scratchOffset: scratchOfItem,
          preparedOffset: preparedBytes))
      scratchOfItem += ArenaPlanner.aligned(member.work.scratchByteCount)
      preparedBytes += ArenaPlanner.aligned(member.work.preparation?.byteCount ?? 0)
    }
  }

  /// Returns the least common multiple of the units of all steps, or `nil` if it exceeds `limit`.
  private static func commonUnit(_ members: [Part], upTo limit: Int) -> Int? {
    var unit = 1
    for member in members {
      var (factor, rest) = (unit, member.work.unit)
      while rest > 0 { (factor, rest) = (rest, factor % rest) }
      unit = unit / factor * member.work.unit
      if unit > limit { return nil }
    }
    return unit
  }

  /// Returns the group as the step of a node that reads `operands`.
  func step(kernelName: String, threadCount: Int) -> Step {
    let sliceCount = (elementCount + sliceLength - 1) / sliceLength
    let itemCount = threadCount > 1 ? min(2 * threadCount, sliceCount) : 1
    let loop = WorkItemLoop<StepContext> { step, item in
      let memory = step.scratch + preparedBytes + item * bytesOfItem
      let addresses = addresses(in: memory, step)
      for slice in item * sliceCount / itemCount..<(item + 1) * sliceCount / itemCount {
        if step.workers.isOver { return }
        run(slice, addresses, memory, step)
      }
    }
    return Step(
      kernelName: kernelName, scratchByteCount: preparedBytes + itemCount * bytesOfItem
    ) { step in
      let addresses = addresses(in: step.scratch + preparedBytes, step)
      for link in links {
        link.work.preparation?.run(context(link, addresses, step))
      }
      step.workers.run(itemCount, loop, step)
    }
  }

  // The scratch of a work item: the scratch of the fused steps, the table of addresses, then one
  // slice of every intermediate tensor.

  private var bytesOfTable: Int {
    ArenaPlanner.aligned((operands.count + links.count) * MemoryLayout<Int>.size)
  }

  private var offsetOfSlices: Int { scratchOfItem + bytesOfTable }

  private var bytesOfItem: Int { offsetOfSlices + (links.count - 1) * sliceBytes }

  private func addresses(
    in memory: UnsafeMutableRawPointer, _ step: StepContext
  ) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    let addresses = (memory + scratchOfItem).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    for operand in operands.indices { addresses[operand] = step.addresses[step.inputs[operand]] }
    addresses[operands.count + links.count - 1] = step.output(0)
    return addresses
  }

  private func context(
    _ link: Link, _ addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ step: StepContext
  ) -> StepContext {
    StepContext(
      inputs: link.tensors.inputTable, outputs: link.tensors.outputTable, addresses: addresses,
      scratch: step.scratch + link.preparedOffset, workers: step.workers)
  }

  private func run(
    _ index: Int, _ addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
    _ memory: UnsafeMutableRawPointer, _ step: StepContext
  ) {
    let elements = index * sliceLength..<min((index + 1) * sliceLength, elementCount)
    links.withUnsafeBufferPointer { links in
      for position in links.indices.dropLast() {
        // The address at which the tensor would begin if all of it were stored.
        addresses[operands.count + position] =
          memory + offsetOfSlices + position * sliceBytes
          - elements.lowerBound * links[position].work.resultBytes
      }
      for position in links.indices {
        let link = links[position]
        link.work.run(context(link, addresses, step), elements, memory + link.scratchOffset)
      }
    }
  }
}
