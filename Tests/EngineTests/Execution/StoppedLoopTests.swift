import OcellusEngine
import Testing

/// The most elements that a stopped loop may process, and the length of the loops.
private let most = 1 << 17
private let long = 1 << 20

/// Loops whose run is stopped before they begin do an amount of work that does not depend on their
/// length.
@Suite struct StoppedLoopTests {
  private let stopped: RunControl = {
    let control = RunControl()
    control.cancel()
    return control
  }()

  @Test(arguments: [
    [long], [long / 2, 2], [2, long / 2], [long / 64, 64], [16, 16, long / 256],
  ])
  func broadcastRowsAreLeftOut(_ extents: [Int]) {
    let shape = Shape(extents)
    // An operand with an extent of one keeps the rows from being joined into one.
    var other = shape
    if shape.rank > 1 { other[0] = 1 }
    let loops = BroadcastLoops(shape, other, to: shape)
    var count = 0
    loops.forEachRow(unless: { stopped.isOver }) { count += $2 }
    #expect(count <= most)
    count = 0
    loops.forEachRow(unless: { false }) { start, starts, length in
      #expect(start == count && starts[0] == count)
      count += length
    }
    #expect(count == long)
  }

  @Test(arguments: [
    ([long], [0]), ([2, long / 2], [1]), ([long / 2, 2], [1]), ([long / 2, 2], [0]),
    ([2, long / 2], [0]),
  ])
  func foldedElementsAreLeftOut(_ extents: [Int], _ axes: [Int]) {
    let layout = ReductionLayout(Shape(extents), reducing: axes)
    var elements = [Int32](repeating: 1, count: long)
    func fold(_ control: RunControl?) -> Int {
      var sums = [Int32](repeating: 0, count: layout.keptCount)
      elements.withUnsafeMutableBufferPointer { elements in
        sums.withUnsafeMutableBufferPointer { layout.fold(elements, into: $0, control, &+) }
      }
      return sums.reduce(0) { $0 + Int($1) }
    }
    #expect(fold(stopped) <= most)
    #expect(fold(nil) == long)
    #expect(fold(RunControl()) == long)
  }

  @Test(arguments: [1, 3, 1 << 10, 1 << 20])
  func rowsAreLeftOut(_ depth: Int) {
    var elements = [Int8](repeating: 0, count: long)
    elements.withUnsafeMutableBytes { bytes in
      let shape: Shape = [long / depth, depth]
      let tensor = TensorView(type: .int8, shape: shape, bytes: bytes, control: stopped)
      var count = 0
      tensor.forEachRow(with: tensor) { (row: Row<Int8>, _: Row<Int8>) in count += row.count }
      #expect(count <= max(most, depth))
    }
  }

  /// A loop over few indices also stops, when the work of each index is large.
  @Test(arguments: [1, 16, 1 << 10, 1 << 12])
  func shortLoopsOfLongRowsAreLeftOut(_ work: Int) {
    func workDone(_ control: RunControl?) -> Int {
      var done = 0
      forEachChunk(of: 1 << 12, workOfEach: work, control) { done += $0.count * work }
      return done
    }
    #expect(workDone(stopped) <= most)
    #expect(workDone(nil) == work << 12)
  }

  @Test func packedElementsAreLeftOut() {
    let packed = [UInt8](repeating: 0x11, count: long / 2)
    var elements = [Int8](repeating: 0, count: long)
    packed.withUnsafeBytes { packed in
      elements.withUnsafeMutableBufferPointer {
        PackedIntegers.unpack(packed, of: .int4, to: $0, stopped)
      }
    }
    #expect(elements.count { $0 == 1 } <= most)
    packed.withUnsafeBytes { packed in
      elements.withUnsafeMutableBufferPointer { PackedIntegers.unpack(packed, of: .int4, to: $0) }
    }
    #expect(elements.allSatisfy { $0 == 1 })
    var bytes = [UInt8](repeating: 0, count: long / 2)
    elements.withUnsafeBufferPointer { elements in
      bytes.withUnsafeMutableBytes { PackedIntegers.pack(elements, as: .int4, to: $0, stopped) }
    }
    #expect(bytes.count { $0 == 0x11 } <= most)
  }
}
