import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch
import Testing

@Suite struct PlannedCopyTests {
  private static let orders = [
    [0, 1, 2, 3], [0, 3, 1, 2], [0, 2, 3, 1], [3, 2, 1, 0], [1, 0, 2, 3], [2, 3, 0, 1],
    [0, 1, 3, 2], [3, 0, 1, 2],
  ]

  /// A copy of a box of one tensor into a box of another, with permuted axes, equals nested loops.
  @Test(arguments: orders)
  func movesPartsOfTensors(order: [Int]) throws {
    let kernels = try #require(KernelTable.available.first)
    check(order, as: UInt8.self, kernels)
    check(order, as: UInt32.self, kernels)
    check(order, as: UInt64.self, kernels)
  }

  private func check<Element: FixedWidthInteger & BitwiseCopyable>(
    _ order: [Int], as _: Element.Type, _ kernels: KernelTable
  ) {
    let source = Shape([3, 6, 17, 9]), part = [2, 5, 17, 8]
    let extents = order.map { part[$0] }
    let target = Shape(zip(extents, [0, 1, 0, 2]).map { $0 + $1 })
    let copy = StridedCopy(
      extents: extents,
      source: .init(offset: 11, strides: order.map { source.strides[$0] }),
      destination: .init(offset: 1, strides: target.strides))
    let elements = (0..<source.elementCount).map { Element(truncatingIfNeeded: $0) }
    var moved = [Element](repeating: 0xFF, count: target.elementCount)
    var want = moved
    let planned = PlannedCopy(
      copy, elementWidth: MemoryLayout<Element>.stride, kernels.dataMovement)
    elements.withUnsafeBytes { from in
      moved.withUnsafeMutableBytes { to in
        guard let from = from.baseAddress, let to = to.baseAddress else { return }
        planned.run(from: from, to: to)
      }
    }
    for a in 0..<extents[0] {
      for b in 0..<extents[1] {
        for c in 0..<extents[2] {
          for d in 0..<extents[3] {
            let place = zip([a, b, c, d], target.strides).reduce(1) { $0 + $1.0 * $1.1 }
            want[place] =
              elements[
                zip([a, b, c, d], order).reduce(11) { $0 + $1.0 * source.strides[$1.1] }]
          }
        }
      }
    }
    #expect(moved == want)
  }
}
