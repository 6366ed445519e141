import OcellusKernelABI

#if TRANSPOSED_OPERANDS
  // A panel of few columns leaves most lanes idle, in the products and even more in the epilogue.
  // These tiles therefore transpose the operands: a lane is a row (usually a pixel). Sixteen rows
  // are transposed in registers, and each vector of them is multiplied by one weight at a time.

  /// The number of rows of a tile with transposed operands.
  private let pixelCount = SumVector.scalarCount

  /// Whether transposed operands are faster for this number of rows and columns.
  @inline(__always)
  func suitsTransposedOperands(_ columns: Int, rows: Int) -> Bool {
    columns <= 8 && rows >= pixelCount
  }

  /// Multiplies rows by the first columns of a panel, at most eight.
  @inline(__always)
  func multiplyTransposed<Scale: VectorScale>(
    _ panelGroup: QuantizedPanelGroup, _ range: QuantizedRange, _ scale: Scale.Type
  ) {
    if panelGroup.columns > 4 {
      multiplyTransposed(panelGroup, range, scale, Eight.self)
    } else {
      multiplyTransposed(panelGroup, range, scale, Four.self)
    }
  }

  /// Computes all tiles, out of line so that accumulators share the registers with nothing else.
  ///
  /// The last tile may overlap the one before.
  @inline(never)
  private func multiplyTransposed<Scale: VectorScale, Columns: Literal>(
    _ panelGroup: QuantizedPanelGroup, _ range: QuantizedRange, _: Scale.Type, _: Columns.Type
  ) {
    let epilogue = TransposedEpilogue<Scale, Columns>(panelGroup, range)
    var row = 0
    while row < panelGroup.rows.count {
      let first = smaller(row, panelGroup.rows.count &- pixelCount)
      var sums = TransposedSums<Columns>(panelGroup, first)
      sums.addProducts(panelGroup, first)
      epilogue.applyEpilogue(sums, panelGroup, first)
      row &+= pixelCount
    }
  }

  /// The sums of up to eight columns, in separate variables so that they stay in registers.
  private struct TransposedSums<Columns: Literal> {
    var s0, s1, s2, s3, s4, s5, s6, s7: SumVector

    @inline(__always)
    init(_ panelGroup: QuantizedPanelGroup, _ row: Int) {
      let start = panelGroup.panel
      let correction = panelGroup.corrections.map { loadSums($0 + row &* 4) } ?? SumVector()
      s0 = SumVector(repeating: loadInt32(start)) &+ correction
      s1 = SumVector(repeating: loadInt32(start + 4)) &+ correction
      s2 = SumVector(repeating: loadInt32(start + 8)) &+ correction
      s3 = SumVector(repeating: loadInt32(start + 12)) &+ correction
      let hasEightColumns = Columns.value > 4
      s4 = hasEightColumns ? SumVector(repeating: loadInt32(start + 16)) &+ correction : s0
      s5 = hasEightColumns ? SumVector(repeating: loadInt32(start + 20)) &+ correction : s0
      s6 = hasEightColumns ? SumVector(repeating: loadInt32(start + 24)) &+ correction : s0
      s7 = hasEightColumns ? SumVector(repeating: loadInt32(start + 28)) &+ correction : s0
    }

    @inline(__always)
    mutating func addProducts(_ panelGroup: QuantizedPanelGroup, _ row: Int) {
      let steps = (panelGroup.rows.runBytes &+ 3) / 4
      let offsets = panelGroup.rows.offsets + row
      let signToggle = SumVector(repeating: panelGroup.rows.isSignToggled ? highestBits : 0)
      var weights = panelGroup.panel + scaleBytes
      var run = panelGroup.rows.start
      for _ in 0..<panelGroup.rows.runs {
        var address = run
        var left = steps
        while left > 0 {
          let x = transposedSegments(
            rows(address, offsets) ^ signToggle, rows(address, offsets + 1) ^ signToggle,
            rows(address, offsets + 2) ^ signToggle, rows(address, offsets + 3) ^ signToggle)
          add(x.0, weights)
          if left > 1 { add(x.1, weights + sumVectorBytes) }
          if left > 2 { add(x.2, weights + 2 &* sumVectorBytes) }
          if left > 3 { add(x.3, weights + 3 &* sumVectorBytes) }
          weights += smaller(left, 4) &* sumVectorBytes
          address += 16
          left &-= 4
        }
        run += panelGroup.rows.runStride
      }
    }

    /// Loads 16 bytes of every fourth row.
    @inline(__always)
    private func rows(_ address: UnsafeRawPointer, _ offsets: UnsafePointer<Int32>) -> SumVector {
      joined(
        loadInt32s(address + Int(offsets[0])), loadInt32s(address + Int(offsets[4])),
        loadInt32s(address + Int(offsets[8])), loadInt32s(address + Int(offsets[12])))
    }

    /// Adds the products of four bytes of every row and every column.
    @inline(__always)
    private mutating func add(_ rows: SumVector, _ weights: UnsafeRawPointer) {
      s0 = dot(s0, rows, SumVector(repeating: loadInt32(weights)))
      s1 = dot(s1, rows, SumVector(repeating: loadInt32(weights + 4)))
      s2 = dot(s2, rows, SumVector(repeating: loadInt32(weights + 8)))
      s3 = dot(s3, rows, SumVector(repeating: loadInt32(weights + 12)))
      guard Columns.value > 4 else { return }
      s4 = dot(s4, rows, SumVector(repeating: loadInt32(weights + 16)))
      s5 = dot(s5, rows, SumVector(repeating: loadInt32(weights + 20)))
      s6 = dot(s6, rows, SumVector(repeating: loadInt32(weights + 24)))
      s7 = dot(s7, rows, SumVector(repeating: loadInt32(weights + 28)))
    }
  }

  /// The epilogue, which turns sums of columns into bytes of rows.
  private struct TransposedEpilogue<Scale: VectorScale, Columns: Literal> {
    private var c0, c1, c2, c3, c4, c5, c6, c7: Scale
    private var bytes: ByteRange

    @inline(__always)
    init(_ panelGroup: QuantizedPanelGroup, _ range: QuantizedRange) {
      let zeroPoint = SumVector(repeating: range.zeroPoint &- range.narrowingOffset)
      func scale(_ column: Int) -> Scale {
        let words = panelGroup.panel + (sumVectorBytes &+ column &* 4)
        for index in 0..<4 {
          let offset = index &* sumVectorBytes
          store(SumVector(repeating: loadInt32(words + offset)), to: panelGroup.scratch + offset)
        }
        return Scale(panelGroup.scratch, zeroPoint: zeroPoint).ofEqualLanes
      }
      let hasEightColumns = Columns.value > 4
      c0 = scale(0)
      c1 = scale(1)
      c2 = scale(2)
      c3 = scale(3)
      c4 = hasEightColumns ? scale(4) : c0
      c5 = hasEightColumns ? scale(5) : c0
      c6 = hasEightColumns ? scale(6) : c0
      c7 = hasEightColumns ? scale(7) : c0
      bytes = ByteRange(range)
    }

    @inline(__always)
    func applyEpilogue(
      _ sums: TransposedSums<Columns>, _ panelGroup: QuantizedPanelGroup, _ row: Int
    ) {
      let output = panelGroup.output + row &* panelGroup.outputStride
      let first = bytes.narrowByLane(c0(sums.s0), c1(sums.s1), c2(sums.s2), c3(sums.s3))
      let isDense =
        panelGroup.columns == panelGroup.outputStride && panelGroup.columns == Columns.value
      if Columns.value == 4 {
        if isDense {
          write(first, to: output)
        } else {
          write(first, to: panelGroup.scratch)
          copyRows(panelGroup, to: output)
        }
        return
      }
      let second = bytes.narrowByLane(c4(sums.s4), c5(sums.s5), c6(sums.s6), c7(sums.s7))
      let rows = alternating(first, second)
      let target = isDense ? output : panelGroup.scratch
      write(rows.low, to: target)
      write(rows.high, to: target + sumVectorBytes)
      if !isDense { copyRows(panelGroup, to: output) }
    }

    @inline(__always)
    private func write(_ bytes: SumVector, to address: UnsafeMutableRawPointer) {
      address.storeBytes(of: bytes, as: SumVector.self)
    }

    @inline(__always)
    private func copyRows(_ panelGroup: QuantizedPanelGroup, to output: UnsafeMutableRawPointer) {
      if panelGroup.columns == 8 {
        for row in 0..<pixelCount {
          let bytes = loadInt64(panelGroup.scratch + row &* 8)
          (output + row &* panelGroup.outputStride).storeBytes(of: bytes, as: Int64.self)
        }
        return
      }
      for row in 0..<pixelCount {
        copyShort(
          panelGroup.scratch + row &* Columns.value, to: output + row &* panelGroup.outputStride,
          count: panelGroup.columns)
      }
    }
  }
#endif
