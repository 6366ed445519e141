import OcellusModelFile

/// The positions of a sparse constant's stored elements.
///
/// The format is TACO's: a tree with one level for each dimension and each dimension of blocks, in
/// an order that the converter chose. A level holds either every index or a list of indices.
package struct SparseLayout: Sendable {
  private struct Level {
    /// The stored indices; `nil` for a dense level.
    ///
    /// Node i of the level above owns those from `segments[i]` up to `segments[i + 1]`.
    var indices: [Int]?
    var segments: [Int]
    /// The number of indices in a dense level.
    var extent: Int
    /// The distance between successive indices in the dense tensor, in elements.
    var stride: Int

    /// Returns `nil` if an index is outside the extent.
    init?(_ dimension: SparseDimensionRecord, extent: Int, stride: Int) {
      let isDense = dimension.format == .dense
      guard isDense ? dimension.denseSize == extent : dimension.areIndicesInOrder(below: extent)
      else { return nil }
      indices = isDense ? nil : dimension.arrayIndices
      segments = dimension.arraySegments
      (self.extent, self.stride) = (extent, stride)
    }
  }

  private let levels: [Level]
  /// The number of stored elements.
  package let storedCount: Int

  /// Checks the layout of a constant, so that `expand` needs no further checks.
  package init(of tensor: TensorSpec, node: NodeSpec) throws(ModelError) {
    guard let record = tensor.sparsity, let width = tensor.type.byteWidth,
      let byteCount = tensor.constant?.count
    else { throw node.error("\(tensor.label) is not a sparse constant") }
    guard let levels = Self.levels(record, shape: tensor.shape),
      let storedCount = Self.leafCount(of: levels), storedCount <= byteCount / width
    else { throw node.error("the sparsity of \(tensor.label) is broken", .malformed) }
    self.levels = levels
    self.storedCount = storedCount
  }

  // MARK: Checks

  /// Returns the levels, or `nil` if the record does not describe a tensor of this shape.
  private static func levels(_ record: SparsityRecord, shape: Shape) -> [Level]? {
    let (rank, order) = (shape.rank, record.traversalOrder)
    // Blocks come last, and no dimension is divided into blocks twice.
    guard shape.isReasonable, order.count == rank + record.blockMap.count,
      record.dimensions.count == order.count,
      order.prefix(rank).sorted() == Array(0..<rank),
      order.dropFirst(rank).sorted() == Array(rank..<order.count),
      Set(record.blockMap).count == record.blockMap.count,
      record.blockMap.allSatisfy((0..<rank).contains)
    else { return nil }

    var blockSizes = [Int](repeating: 1, count: rank)
    for (axis, dimension) in zip(order, record.dimensions).dropFirst(rank) {
      let (size, blockedAxis) = (dimension.denseSize, record.blockMap[axis - rank])
      guard dimension.format == .dense, size >= 1, shape[blockedAxis] % size == 0 else {
        return nil
      }
      blockSizes[blockedAxis] = size
    }

    let strides = shape.strides
    var levels: [Level] = []
    for (axis, dimension) in zip(order, record.dimensions) {
      let isBlock = axis >= rank
      let source = isBlock ? record.blockMap[axis - rank] : axis
      let blockSize = blockSizes[source]
      let level = Level(
        dimension, extent: isBlock ? blockSize : shape[source] / blockSize,
        stride: isBlock ? strides[source] : strides[source] * blockSize)
      guard let level else { return nil }
      levels.append(level)
    }
    return levels
  }

  /// Returns the number of leaves, or `nil` if the lists of a level do not fit the level above.
  private static func leafCount(of levels: [Level]) -> Int? {
    var count = 1
    for level in levels {
      if let indices = level.indices {
        guard level.segments.count - 1 == count else { return nil }
        count = indices.count
      } else {
        let (product, overflow) = count.multipliedReportingOverflow(by: level.extent)
        guard !overflow else { return nil }
        count = product
      }
    }
    return count
  }

  // MARK: Expansion

  /// Fills a dense tensor with the stored elements at their positions, and zeros elsewhere.
  ///
  /// `dense` must have space for all elements of the tensor's shape. If `control` stops the run,
  /// the remaining elements are left out.
  package func expand<Element: AdditiveArithmetic>(
    _ stored: UnsafeBufferPointer<Element>, to dense: UnsafeMutableBufferPointer<Element>,
    _ control: RunControl? = nil
  ) {
    dense.update(repeating: .zero, control)
    var work = StoppableWork(control)
    if storedCount > 0 { scatter(stored, level: 0, node: 0, offset: 0, in: dense, &work) }
  }

  private func scatter<Element>(
    _ stored: UnsafeBufferPointer<Element>, level: Int, node: Int, offset: Int,
    in dense: UnsafeMutableBufferPointer<Element>, _ work: inout StoppableWork
  ) {
    guard level < levels.count else {
      dense[offset] = stored[node]
      return
    }
    let (extent, stride) = (levels[level].extent, levels[level].stride)
    if let indices = levels[level].indices {
      for child in levels[level].segments[node]..<levels[level].segments[node + 1] {
        if work.isOver(after: 4) { return }
        let position = offset + indices[child] * stride
        self.scatter(stored, level: level + 1, node: child, offset: position, in: dense, &work)
      }
    } else {
      for index in 0..<extent {
        if work.isOver(after: 4) { return }
        let child = node * extent + index
        let position = offset + index * stride
        self.scatter(stored, level: level + 1, node: child, offset: position, in: dense, &work)
      }
    }
  }
}

extension SparseDimensionRecord {
  /// Returns whether the segments cover all indices, one after the other.
  fileprivate func areIndicesInOrder(below extent: Int) -> Bool {
    arraySegments.first == 0 && arraySegments.last == arrayIndices.count
      && zip(arraySegments, arraySegments.dropFirst()).allSatisfy { $0 <= $1 }
      && arrayIndices.allSatisfy((0..<extent).contains)
  }
}
