import OcellusKernelABI

/// The offsets of the vectors of a window from the first, in the order of the weights.
struct WindowOffsets {
  var offsets: UnsafeMutablePointer<Int>
  var count: Int

  /// Stores the offsets in scratch memory.
  @inline(__always)
  init(_ layout: InterleavedLayout, in scratch: UnsafeMutableRawPointer) {
    offsets = scratch.assumingMemoryBound(to: Int.self)
    count = layout.geometry.windowWidth &* layout.groups
    var index = 0
    for column in 0..<layout.geometry.windowWidth {
      let first = layout.offset(column: column)
      for group in 0..<layout.groups {
        offsets[index] = first &+ group &* layout.arrayBytes
        index &+= 1
      }
    }
  }
}

/// The weights of a window with the offsets of their vectors.
protocol WindowTaps {
  init(_ taps: AnyTaps)
  /// Visits the offset of every vector, with its weights for the upper and the lower output row.
  func forEach(_ body: (_ offset: Int, _ upper: SumVector, _ lower: SumVector) -> Void)
}

/// Any number of weights, loaded when they are needed.
struct AnyTaps: WindowTaps {
  var weights: UnsafeRawPointer
  var window: WindowOffsets
  /// The number of output rows with weights.
  var outputRows: Int
  var terms: Int

  @inline(__always)
  init(weights: UnsafeRawPointer, window: WindowOffsets, outputRows: Int, terms: Int) {
    self.weights = weights
    self.window = window
    self.outputRows = outputRows
    self.terms = terms
  }

  @inline(__always)
  init(_ taps: AnyTaps) { self = taps }

  @inline(__always)
  func forEach(_ body: (_ offset: Int, _ upper: SumVector, _ lower: SumVector) -> Void) {
    var address = weights
    for _ in 0..<terms {
      for tap in 0..<window.count {
        body(window.offsets[tap], upper(address), lower(address))
        address += outputRows &* sumVectorBytes
      }
    }
  }

  @inline(__always)
  fileprivate func upper(_ address: UnsafeRawPointer) -> SumVector { loadSums(address) }

  @inline(__always)
  fileprivate func lower(_ address: UnsafeRawPointer) -> SumVector {
    loadSums(address + (outputRows &- 1) &* sumVectorBytes)
  }
}

/// The weights of three vectors, as 3×3 windows have if four rows form a group: they stay in
/// registers.
struct ThreeTaps: WindowTaps {
  private var offset0, offset1, offset2: Int
  private var upper0, upper1, upper2: SumVector
  private var lower0, lower1, lower2: SumVector

  @inline(__always)
  init(_ taps: AnyTaps) {
    let step = taps.outputRows &* sumVectorBytes
    offset0 = taps.window.offsets[0]
    offset1 = taps.window.offsets[1]
    offset2 = taps.window.offsets[2]
    upper0 = taps.upper(taps.weights)
    upper1 = taps.upper(taps.weights + step)
    upper2 = taps.upper(taps.weights + 2 &* step)
    lower0 = taps.lower(taps.weights)
    lower1 = taps.lower(taps.weights + step)
    lower2 = taps.lower(taps.weights + 2 &* step)
  }

  @inline(__always)
  func forEach(_ body: (_ offset: Int, _ upper: SumVector, _ lower: SumVector) -> Void) {
    body(offset0, upper0, lower0)
    body(offset1, upper1, lower1)
    body(offset2, upper2, lower2)
  }
}
