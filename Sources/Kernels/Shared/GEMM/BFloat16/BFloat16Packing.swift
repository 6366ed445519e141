import OcellusKernelABI

// A packed panel is one vector of biases and, for every two elements of a run, one vector of pairs of
// weights. A run is the part of the depth that belongs to one row of the window; its last pair is
// filled up with zero. For a matrix unit, there is also a vector of zeros after the biases, with which
// sums begin, and runs are filled up to whole tiles.

private let vectorBytes = MemoryLayout<FloatVector>.size

/// The pairs of elements that are multiplied before their sums are added to the others: those of a
/// row of Intel's tile registers.
let pairsPerBlock = 16

/// The layout of panels of pairs.
struct PairedPanels {
  /// The runs of the depth, and the elements of each.
  let runs: Int
  let runElements: Int
  /// The vectors of each run, and those before the first one.
  let steps: Int
  private let headVectors: Int

  @inline(__always)
  init(_ geometry: PatchGeometry, areForTiles: Bool = false) {
    runs = geometry.windowHeight
    runElements = geometry.windowWidth &* geometry.channels
    steps = roundUp(ceilingQuotient(runElements, 2), to: areForTiles ? pairsPerBlock : 1)
    headVectors = areForTiles ? 2 : 1
  }

  /// The distance between panels in bytes.
  @inline(__always)
  var stride: Int { (headVectors &+ runs &* steps) &* vectorBytes }

  @inline(__always)
  func byteCount(columns: Int) -> Int { panelCount(columns) &* stride }

  /// Packs weights, rounded to bfloat16, and biases.
  func pack(_ arguments: FloatPackingArguments) {
    let lanes = FloatVector.scalarCount
    for panel in 0..<panelCount(arguments.columns) {
      let column = panel &* lanes
      let width = smaller(lanes, arguments.columns &- column)
      let head = arguments.packed + panel &* stride
      storeLanes(width, to: head) { lane in
        guard let bias = arguments.bias else { return 0 }
        return bias[column &+ lane]
      }
      if headVectors > 1 { store(FloatVector(), to: head + vectorBytes) }
      packPairs(arguments, column, width, to: head + headVectors &* vectorBytes)
    }
  }

  /// Packs the weights of up to one vector of columns.
  private func packPairs(
    _ arguments: FloatPackingArguments, _ column: Int, _ width: Int,
    to target: UnsafeMutableRawPointer
  ) {
    let (columnStride, depthStride) = (arguments.columnStride, arguments.depthStride)
    let isContiguous = width == FloatVector.scalarCount && columnStride == 1
    var filter = arguments.filter + column &* columnStride
    var target = target
    @inline(__always)
    func rounded(_ element: Int) -> SumVector {
      guard element < runElements else { return SumVector() }
      let numbers = filter + element &* depthStride
      if isContiguous { return asLanes(roundedToBFloat16(loadFloats(numbers))) }
      storeLanes(width, to: target) { numbers[$0 &* columnStride] }
      return asLanes(roundedToBFloat16(loadFloats(target)))
    }
    for _ in 0..<runs {
      for step in 0..<steps {
        let pair = pairs(first: rounded(2 &* step), second: rounded(2 &* step &+ 1))
        store(pair, to: target)
        target += vectorBytes
      }
      filter += runElements &* depthStride
    }
  }
}
