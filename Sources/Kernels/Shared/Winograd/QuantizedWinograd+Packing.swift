import OcellusKernelABI

#if WINOGRAD
  func packWinograd(_ arguments: QuantizedPackingArguments) {
    let channels = arguments.depth / 9
    let panels = winogradWeights(channels: channels)
    let kind = scaleKind(
      arguments.requantization, bias: arguments.bias, columns: arguments.columns,
      weight: weightBound(depth: arguments.depth, arguments.filterFormat))
    PackedHeader(scaleKind: kind, rowCorrection: 0).write(to: arguments.packed)
    var head = arguments.packed + PackedHeader.byteCount
    for panel in 0..<panelCount(arguments.columns) {
      let columns = columnsOfPanel(panel, of: arguments.columns)
      let weights = head + scaleBytes
      for first in stride(from: 0, to: SumVector.scalarCount, by: 4) {
        packFour(
          arguments, columns, from: first, channels: channels, positionStride: panels.positionBytes,
          to: weights + first &* 4)
      }
      // The position 5 holds the sum of all weights of a window.
      let sums = sumsOfColumns(weights + 5 &* panels.positionBytes, steps: channels / depthPerDot)
      packHead(arguments, columns, sums: sums, split: 1, to: head)
      head += panels.panelBytes
    }
  }

  /// Packs the weights of four columns of a panel, or of those that exist.
  private func packFour(
    _ arguments: QuantizedPackingArguments, _ columns: Range<Int>, from first: Int,
    channels: Int, positionStride: Int, to target: UnsafeMutableRawPointer
  ) {
    let columnBytes = winogradPositions &* sumVectorBytes
    withUnsafeTemporaryAllocation(byteCount: 4 &* columnBytes, alignment: 64) { buffer in
      let transformed = buffer.baseAddress.unsafelyUnwrapped
      fillWithZeros(transformed, count: 4 &* columnBytes)
      var channel = 0
      while channel < channels {
        // The last vector may overlap the one before.
        let start = smaller(channel, channels &- winogradChannelsAtOnce)
        for index in 0..<4 where first &+ index < columns.count {
          let column = columns.lowerBound &+ first &+ index
          transformWeights(
            arguments, at: column &* arguments.depth &+ start, channels: channels,
            to: transformed + index &* columnBytes)
        }
        for position in 0..<winogradPositions {
          scatter(
            transformed + position &* sumVectorBytes, stride: columnBytes,
            to: target + (position &* positionStride &+ start / depthPerDot &* sumVectorBytes))
        }
        channel &+= winogradChannelsAtOnce
      }
    }
  }

  /// Stores two vectors of channel pairs of four columns, transposed so that the columns are
  /// adjacent.
  @inline(__always)
  private func scatter(
    _ pairs: UnsafeRawPointer, stride: Int, to target: UnsafeMutableRawPointer
  ) {
    for half in 0..<2 {
      let source = pairs + half &* sumVectorBytes / 2
      let columns = transposed(
        loadInt32s(source), loadInt32s(source + stride), loadInt32s(source + 2 &* stride),
        loadInt32s(source + 3 &* stride))
      let address = target + half &* 4 &* sumVectorBytes
      storeInt32s(columns.0, to: address)
      storeInt32s(columns.1, to: address + sumVectorBytes)
      storeInt32s(columns.2, to: address + 2 &* sumVectorBytes)
      storeInt32s(columns.3, to: address + 3 &* sumVectorBytes)
    }
  }

  /// Computes the weight transform `2G g (2G)ᵀ` of a vector of channels, which has integers only.
  @inline(__always)
  private func transformWeights(
    _ arguments: QuantizedPackingArguments, at offset: Int, channels: Int,
    to target: UnsafeMutableRawPointer
  ) {
    let format = arguments.filterFormat
    let filter = arguments.filter + offset
    let weights = { (tap: Int) in
      subtractFromWords(
        loadWidened(filter + tap &* channels, isSigned: format.isSigned), format.zeroPoint)
    }
    let a = fourOfThree(weights(0), weights(3), weights(6))
    let b = fourOfThree(weights(1), weights(4), weights(7))
    let c = fourOfThree(weights(2), weights(5), weights(8))
    storeFour(fourOfThree(a.0, b.0, c.0), to: target)
    storeFour(fourOfThree(a.1, b.1, c.1), to: target + 4 &* sumVectorBytes)
    storeFour(fourOfThree(a.2, b.2, c.2), to: target + 8 &* sumVectorBytes)
    storeFour(fourOfThree(a.3, b.3, c.3), to: target + 12 &* sumVectorBytes)
  }

  @inline(__always)
  private func fourOfThree(_ a: SumVector, _ b: SumVector, _ c: SumVector) -> WinogradFour {
    let outer = addWords(a, c)
    return (addWords(a, a), addWords(outer, b), subtractWords(outer, b), addWords(c, c))
  }

  @inline(__always)
  private func storeFour(_ row: WinogradFour, to target: UnsafeMutableRawPointer) {
    store(row.0, to: target)
    store(row.1, to: target + sumVectorBytes)
    store(row.2, to: target + 2 &* sumVectorBytes)
    store(row.3, to: target + 3 &* sumVectorBytes)
  }
#endif
