/// The tile registers of a matrix unit, as memory: the rows of the upper and lower tiles of a block
/// as two integers, and then eight tiles of 1 KB.
struct MatrixTiles {
  static var memoryByteCount: Int { 64 + 8 * 1024 }

  private let memory: UnsafeMutableRawPointer

  init(memory: UnsafeMutableRawPointer) { self.memory = memory }

  private func tile(_ index: Int) -> UnsafeMutableRawPointer { memory + (64 + index * 1024) }
  private func rowCount(ofLower isLower: Bool) -> Int {
    memory.load(fromByteOffset: isLower ? 8 : 0, as: Int.self)
  }

  func configure(upperRows: Int, lowerRows: Int) {
    precondition((1...Self.rows).contains(upperRows) && (0...Self.rows).contains(lowerRows))
    memory.initializeMemory(as: UInt8.self, repeating: 0xAA, count: Self.memoryByteCount)
    memory.storeBytes(of: upperRows, as: Int.self)
    memory.storeBytes(of: lowerRows, toByteOffset: 8, as: Int.self)
  }

  func release() { memory.initializeMemory(as: UInt8.self, repeating: 0xBB, count: 64) }

  private func load(_ index: Int, _ start: UnsafeRawPointer, stride: Int, rows: Int, bytes: Int) {
    for row in 0..<rows {
      (tile(index) + row * 64).copyMemory(from: start + row * stride, byteCount: bytes)
    }
  }

  func startSums<Tiles: Literal, Panels: Literal>(
    _ panel: UnsafeRawPointer, panelStride: Int, _: Tiles.Type, _: Panels.Type
  ) {
    for group in 0..<Tiles.value {
      for column in 0..<Panels.value {
        load(
          2 * group + column, panel + column * panelStride, stride: 0,
          rows: rowCount(ofLower: group > 0), bytes: sumVectorBytes)
      }
    }
  }

  func loadUpperRows(_ rows: TileOperand) {
    load(
      4, rows.start, stride: rows.stride, rows: rowCount(ofLower: false), bytes: Self.depth)
  }

  func loadLowerRows(_ rows: TileOperand) {
    load(5, rows.start, stride: rows.stride, rows: rowCount(ofLower: true), bytes: Self.depth)
  }

  func multiply<Tiles: Literal, Panels: Literal>(
    _ weights: UnsafeRawPointer, panelStride: Int, _ tiles: Tiles.Type, _ panels: Panels.Type
  ) {
    multiply(weights, panelStride: panelStride, tiles, panels, addBytes)
  }

  func multiplyBFloat16<Tiles: Literal, Panels: Literal>(
    _ weights: UnsafeRawPointer, panelStride: Int, _ tiles: Tiles.Type, _ panels: Panels.Type
  ) {
    multiply(weights, panelStride: panelStride, tiles, panels, addBFloat16)
  }

  private func multiply<Tiles: Literal, Panels: Literal>(
    _ weights: UnsafeRawPointer, panelStride: Int, _: Tiles.Type, _: Panels.Type,
    _ add: (UnsafeRawPointer, UnsafeRawPointer, Int, UnsafeMutableRawPointer) -> Void
  ) {
    for column in 0..<Panels.value {
      load(
        6 + column, weights + column * panelStride, stride: sumVectorBytes, rows: Self.depth / 4,
        bytes: sumVectorBytes)
      for group in 0..<Tiles.value {
        add(
          tile(4 + group), tile(6 + column), rowCount(ofLower: group > 0),
          tile(2 * group + column))
      }
    }
  }

  /// Adds the products of signed bytes, as the manual defines them.
  private func addBytes(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, rows: Int, to sums: UnsafeMutableRawPointer
  ) {
    for row in 0..<rows {
      for column in 0..<SumVector.scalarCount {
        let address = sums + (row * 64 + column * 4)
        var sum = address.load(as: Int32.self)
        for element in 0..<Self.depth {
          let x = a.load(fromByteOffset: row * 64 + element, as: Int8.self)
          let y = b.load(
            fromByteOffset: element / 4 * 64 + column * 4 + element % 4, as: Int8.self)
          sum &+= Int32(x) * Int32(y)
        }
        address.storeBytes(of: sum, as: Int32.self)
      }
    }
  }

  /// Adds the products of pairs of bfloat16 numbers, as the manual defines them: subnormal numbers
  /// are replaced by zero, in operands and in results.
  private func addBFloat16(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, rows: Int, to sums: UnsafeMutableRawPointer
  ) {
    func number(_ pair: UnsafeRawPointer, _ index: Int) -> Float {
      let upperHalf = pair.load(fromByteOffset: 2 * index, as: UInt16.self)
      return withoutSubnormal(Float(bitPattern: UInt32(upperHalf) << 16))
    }
    for row in 0..<rows {
      for column in 0..<SumVector.scalarCount {
        var (first, second): (Float, Float) = (0, 0)
        for step in 0..<Self.depth / 4 {
          let x = a + (row * 64 + step * 4)
          let y = b + (step * 64 + column * 4)
          first = withoutSubnormal(first.addingProduct(number(x, 0), number(y, 0)))
          second = withoutSubnormal(second.addingProduct(number(x, 1), number(y, 1)))
        }
        let address = sums + (row * 64 + column * 4)
        let sum = address.load(as: Float.self) + withoutSubnormal(first + second)
        address.storeBytes(of: withoutSubnormal(sum), as: Float.self)
      }
    }
  }

  private func withoutSubnormal(_ x: Float) -> Float {
    x.isSubnormal ? Float(signOf: x, magnitudeOf: 0) : x
  }

  func storeSums<Tiles: Literal, Panels: Literal>(
    to sums: UnsafeMutableRawPointer, stride: Int, _: Tiles.Type, _: Panels.Type
  ) {
    for group in 0..<Tiles.value {
      for column in 0..<Panels.value {
        for row in 0..<rowCount(ofLower: group > 0) {
          (sums + ((group * Self.rows + row) * stride + column * sumVectorBytes)).copyMemory(
            from: tile(2 * group + column) + row * 64, byteCount: sumVectorBytes)
        }
      }
    }
  }
}
