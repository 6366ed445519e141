/// Checks that a sparse constant can be expanded without reading or writing out of bounds.
extension SparsityRecord {
  /// Returns the number of elements that are stored for a tensor of this shape and sparsity.
  ///
  /// - Throws: `malformed` if the levels contradict the shape or each other.
  package func storedElementCount(shape: [Int]) throws(ModelFileError) -> Int {
    let sizes = try levelSizes(shape: shape)
    var stored = 1
    for (level, dimension) in dimensions.enumerated() {
      switch dimension.format {
      case .dense:
        guard dimension.denseSize == sizes[level] else {
          throw .malformed(
            "sparse level \(level) has \(dimension.denseSize) indices, not \(sizes[level])")
        }
        let (product, overflow) = stored.multipliedReportingOverflow(by: sizes[level])
        guard !overflow else { throw .malformed("sparse tensor beyond all memory") }
        stored = product
      case .sparseCSR:
        try dimension.check(segments: stored, size: sizes[level], level: level)
        stored = dimension.arrayIndices.count
      }
    }
    return stored
  }

  /// Returns the number of indices that each level would have if it were dense.
  private func levelSizes(shape: [Int]) throws(ModelFileError) -> [Int] {
    let rank = shape.count
    let levels = rank + blockMap.count
    guard traversalOrder.count == levels, dimensions.count == levels,
      traversalOrder.prefix(rank).sorted() == Array(0..<rank),
      traversalOrder.dropFirst(rank).sorted() == Array(rank..<levels)
    else {
      throw .malformed("traversal order \(traversalOrder) of sparse shape \(shape)")
    }
    var sizes = shape + Array(repeating: 1, count: blockMap.count)
    for (level, dimension) in traversalOrder.enumerated() where dimension >= rank {
      sizes[dimension] = try blockSize(level: level, dividing: blockMap[dimension - rank], shape)
    }
    // The map must be increasing, or official readers would not find the block sizes.
    guard zip(blockMap, blockMap.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw .malformed("sparse block map \(blockMap)")
    }
    for (block, dimension) in blockMap.enumerated() { sizes[dimension] /= sizes[rank + block] }
    return traversalOrder.map { sizes[$0] }
  }

  private func blockSize(
    level: Int, dividing dimension: Int, _ shape: [Int]
  ) throws(ModelFileError) -> Int {
    let block = dimensions[level]
    guard block.format == .dense, block.denseSize > 0, shape.indices.contains(dimension),
      shape[dimension] % block.denseSize == 0
    else {
      throw .malformed("sparse level \(level) does not divide dimension \(dimension) of \(shape)")
    }
    return block.denseSize
  }
}

extension SparseDimensionRecord {
  fileprivate func check(segments: Int, size: Int, level: Int) throws(ModelFileError) {
    guard arraySegments.count - 1 == segments, arraySegments.first == 0,
      arraySegments.last == arrayIndices.count,
      zip(arraySegments, arraySegments.dropFirst()).allSatisfy({ $0 <= $1 })
    else {
      throw .malformed("segments of sparse level \(level), which must be \(segments) ascending")
    }
    guard arrayIndices.allSatisfy({ $0 >= 0 && $0 < size }) else {
      throw .malformed("index of sparse level \(level) beyond its size \(size)")
    }
  }
}
