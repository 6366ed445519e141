// With `LANE_PRODUCTS`, instructions multiply by one lane of a vector, so that rows are loaded a
// vector at a time. Elsewhere every load broadcasts four bytes to all lanes.
#if LANE_PRODUCTS
  /// The runs of memory that all rows of a tile consist of, relative to their offsets.
  struct RowRuns {
    /// The first run of a row with offset zero.
    var start: UnsafeRawPointer
    var count: Int
    var stride: Int
    /// The number of steps in each run.
    var steps: Int
  }

  extension TileArithmetic {
    @inline(__always)
    static func add<Rows: Literal, Vectors: Literal>(
      _ runs: RowRuns, _ offsets: RowOffsets<Rows>, _ weights: UnsafeRawPointer,
      panelStride: Int, to tile: inout AccumulatorTile<Self, Rows, Vectors>
    ) {
      var weights = weights
      var run = runs.start
      for _ in 0..<runs.count {
        tile.addLanes(
          run, offsets, steps: runs.steps, weights: weights, panelStride: panelStride)
        run += runs.stride
        weights += runs.steps &* MemoryLayout<Vector>.size
      }
    }
  }

  extension TileArithmetic where Vector == SumVector {
    @inline(__always)
    static func loadRow(_ address: UnsafeRawPointer, bytes: Int) -> SumVector {
      switch bytes {
      case 16: loadSums(address)
      case 8: asLanes(WideVector(loadInt64(address), 0))
      default: SumVector(loadInt32(address), 0, 0, 0)
      }
    }

    @inline(__always)
    static func accumulate(
      _ sum: SumVector, _ lane: Int, of row: SumVector, _ weights: SumVector
    ) -> SumVector { accumulate(sum, SumVector(repeating: row[lane]), weights) }
  }

  extension TileArithmetic where Vector == FloatVector {
    @inline(__always)
    static func loadRow(_ address: UnsafeRawPointer, bytes: Int) -> FloatVector {
      switch bytes {
      case 16: loadFloats(address)
      case 8: FloatVector(loadFloat(address), loadFloat(address + 4), 0, 0)
      default: FloatVector(loadFloat(address), 0, 0, 0)
      }
    }

    @inline(__always)
    static func accumulate(
      _ sum: FloatVector, _ lane: Int, of row: FloatVector, _ weights: FloatVector
    ) -> FloatVector { accumulate(sum, FloatVector(repeating: row[lane]), weights) }
  }

  extension AccumulatorTile {
    /// Adds the products of consecutive steps of every row: four at a time, then two, then one.
    @inline(__always)
    mutating func addLanes(
      _ run: UnsafeRawPointer, _ offsets: RowOffsets<Rows>, steps: Int, weights: UnsafeRawPointer,
      panelStride: Int
    ) {
      let size = MemoryLayout<Arithmetic.Vector>.size
      var address = run
      var weights = weights
      var left = steps
      while left >= 4 {
        let rows = RowVectors<Arithmetic, Rows>(address, offsets, bytes: 16)
        add(rows, lane: 0, weights, panelStride: panelStride)
        add(rows, lane: 1, weights + size, panelStride: panelStride)
        add(rows, lane: 2, weights + 2 &* size, panelStride: panelStride)
        add(rows, lane: 3, weights + 3 &* size, panelStride: panelStride)
        address += 16
        weights += 4 &* size
        left &-= 4
      }
      if left >= 2 {
        let rows = RowVectors<Arithmetic, Rows>(address, offsets, bytes: 8)
        add(rows, lane: 0, weights, panelStride: panelStride)
        add(rows, lane: 1, weights + size, panelStride: panelStride)
        address += 8
        weights += 2 &* size
        left &-= 2
      }
      if left > 0 {
        add(
          RowVectors(address, offsets, bytes: 4), lane: 0, weights, panelStride: panelStride)
      }
    }

    /// Adds the products of one of the steps that the row vectors hold.
    @inline(__always)
    private mutating func add(
      _ rows: RowVectors<Arithmetic, Rows>, lane: Int, _ weights: UnsafeRawPointer,
      panelStride: Int
    ) {
      let vectors = Vectors.value
      let w = AccumulatorRow<Arithmetic>(weights, stride: panelStride, vectors: vectors) {
        Arithmetic.load($0)
      }
      r0.add(lane, of: rows.x0, w, vectors: vectors)
      if Rows.value > 1 { r1.add(lane, of: rows.x1, w, vectors: vectors) }
      if Rows.value > 2 { r2.add(lane, of: rows.x2, w, vectors: vectors) }
      if Rows.value > 3 { r3.add(lane, of: rows.x3, w, vectors: vectors) }
      if Rows.value > 4 { r4.add(lane, of: rows.x4, w, vectors: vectors) }
      if Rows.value > 5 { r5.add(lane, of: rows.x5, w, vectors: vectors) }
      if Rows.value > 6 { r6.add(lane, of: rows.x6, w, vectors: vectors) }
      if Rows.value > 7 { r7.add(lane, of: rows.x7, w, vectors: vectors) }
    }

    /// Stores the sums, with `stride` bytes between rows.
    @inline(__always)
    func store(to address: UnsafeMutableRawPointer, stride: Int) {
      let vectors = Vectors.value
      r0.store(to: address, vectors: vectors)
      if Rows.value > 1 { r1.store(to: address + stride, vectors: vectors) }
      if Rows.value > 2 { r2.store(to: address + 2 &* stride, vectors: vectors) }
      if Rows.value > 3 { r3.store(to: address + 3 &* stride, vectors: vectors) }
      if Rows.value > 4 { r4.store(to: address + 4 &* stride, vectors: vectors) }
      if Rows.value > 5 { r5.store(to: address + 5 &* stride, vectors: vectors) }
      if Rows.value > 6 { r6.store(to: address + 6 &* stride, vectors: vectors) }
      if Rows.value > 7 { r7.store(to: address + 7 &* stride, vectors: vectors) }
    }
  }

  extension AccumulatorRow {
    /// Adds the products of one lane of a row and the weights.
    @inline(__always)
    fileprivate mutating func add(
      _ lane: Int, of row: Arithmetic.Vector, _ weights: AccumulatorRow, vectors: Int
    ) {
      v0 = Arithmetic.accumulate(v0, lane, of: row, weights.v0)
      if vectors > 1 { v1 = Arithmetic.accumulate(v1, lane, of: row, weights.v1) }
      if vectors > 2 { v2 = Arithmetic.accumulate(v2, lane, of: row, weights.v2) }
      if vectors > 3 { v3 = Arithmetic.accumulate(v3, lane, of: row, weights.v3) }
    }
  }

  extension RowOffsets {
    /// Creates the offsets of rows that are `stride` bytes apart.
    @inline(__always)
    init(stride: Int) {
      o0 = 0
      o1 = stride
      o2 = 2 &* stride
      o3 = 3 &* stride
      o4 = 4 &* stride
      o5 = 5 &* stride
      o6 = 6 &* stride
      o7 = 7 &* stride
    }
  }

  /// One vector of each row of a tile.
  struct RowVectors<Arithmetic: TileArithmetic, Rows: Literal> {
    fileprivate var x0, x1, x2, x3, x4, x5, x6, x7: Arithmetic.Vector

    /// Loads `bytes` bytes of every row; `bytes` is a literal at every call: 16, 8 or 4.
    @inline(__always)
    init(_ address: UnsafeRawPointer, _ rows: RowOffsets<Rows>, bytes: Int) {
      x0 = Arithmetic.loadRow(address + rows.o0, bytes: bytes)
      x1 = Rows.value > 1 ? Arithmetic.loadRow(address + rows.o1, bytes: bytes) : x0
      x2 = Rows.value > 2 ? Arithmetic.loadRow(address + rows.o2, bytes: bytes) : x0
      x3 = Rows.value > 3 ? Arithmetic.loadRow(address + rows.o3, bytes: bytes) : x0
      x4 = Rows.value > 4 ? Arithmetic.loadRow(address + rows.o4, bytes: bytes) : x0
      x5 = Rows.value > 5 ? Arithmetic.loadRow(address + rows.o5, bytes: bytes) : x0
      x6 = Rows.value > 6 ? Arithmetic.loadRow(address + rows.o6, bytes: bytes) : x0
      x7 = Rows.value > 7 ? Arithmetic.loadRow(address + rows.o7, bytes: bytes) : x0
    }
  }

  /// Computes a tile.
  @inline(__always)
  func multiplyByLane<Arithmetic: TileArithmetic, Rows: Literal, Vectors: Literal>(
    _ tile: TileOperands, _: Arithmetic.Type, _: Rows.Type, _: Vectors.Type
  ) {
    var sums = AccumulatorTile<Arithmetic, Rows, Vectors>(
      panel: tile.panel, panelStride: tile.panelStride)
    Arithmetic.add(
      RowRuns(start: tile.rows, count: 1, stride: 0, steps: tile.steps),
      RowOffsets(stride: tile.rowStride), tile.panel + tile.weightsOffset,
      panelStride: tile.panelStride, to: &sums)
    sums.store(to: tile.sums, stride: tileVectors &* MemoryLayout<Arithmetic.Vector>.size)
  }
#endif
