import OcellusAudit
import OcellusEngine
import OcellusModelFile

/// Compares the quantization of floats with plain arithmetic, for every float but NaNs.
struct FloatSweep {
  private let tuned: any NodeSession
  private let shape: Shape
  private let target: QuantizedTensor
  private let progress: (Double) -> Void

  /// The fewest elements with which all floats take less than a million runs.
  private static let fewestElements = 1 << 12

  init(
    _ node: OperatorRecord, in subgraph: SubgraphRecord, of shape: Shape, _ tuned: any NodeSession,
    progress: @escaping (_ share: Double) -> Void
  ) throws(WeightedNode.Refusal) {
    target = try QuantizedTensor(subgraph.tensors[node.outputs[0]])
    guard target.scales[0] > 0, target.scales.count == 1 else {
      throw WeightedNode.Refusal(reason: "its scale is unusual")
    }
    guard shape.elementCount >= Self.fewestElements else {
      throw WeightedNode.Refusal(
        reason: "all floats, \(shape.elementCount) at a time, would take too many runs")
    }
    (self.shape, self.tuned, self.progress) = (shape, tuned, progress)
  }

  /// - Returns: the number of results that were compared.
  func run() throws -> Int {
    let infinity = Int64(Float.infinity.bitPattern)
    var floats = FloatRuns(count: shape.elementCount)
    var comparisonCount = 0
    for sign in [Float(1), -1] {
      var bits: Int64 = 0
      while bits <= infinity {
        let first = UInt32(truncatingIfNeeded: bits)
        // Results never change back, so that each is a run of neighbouring floats.
        let result = self.result(sign * Float(bitPattern: first))
        let end = self.end(of: result, from: bits, to: infinity, sign)
        while bits < end {
          bits += floats.append(from: bits, to: end, isNegative: sign < 0, result)
          guard floats.isFull else { continue }
          comparisonCount += try compare(&floats)
          progress(Double(comparisonCount) / Double(2 * (infinity + 1)))
        }
      }
    }
    return comparisonCount + (try compare(&floats))
  }

  private func result(_ number: Float) -> UInt8 {
    let steps = (number / target.scales[0]).rounded(.toNearestOrAwayFromZero)
    let range = target.values
    return target.byte(Int32(min(max(steps, Float(range.lowerBound)), Float(range.upperBound))))
  }

  /// The first bit pattern with another result, by bisection.
  private func end(of result: UInt8, from start: Int64, to last: Int64, _ sign: Float) -> Int64 {
    var (same, other) = (start, last + 1)
    while other - same > 1 {
      let middle = (same + other) / 2
      let number = sign * Float(bitPattern: UInt32(truncatingIfNeeded: middle))
      if self.result(number) == result { same = middle } else { other = middle }
    }
    return other
  }

  /// Computes the floats, and removes them.
  private func compare(_ floats: inout FloatRuns) throws -> Int {
    defer { floats.removeAll() }
    let operand = StoredTensor(type: .float32, shape: shape, bytes: floats.bytes)
    let found = try tuned.results(of: [operand])[0].bytes
    guard found != floats.results,
      let index = (0..<floats.count).first(where: { found[$0] != floats.results[$0] })
    else { return floats.count }
    throw KernelFault(
      "\(floats.number(at: index)) becomes the byte \(found[index]), and not \(floats.results[index])"
    )
  }
}

/// Floats in the order of their bits, and the bytes that they should become.
private struct FloatRuns {
  private(set) var bytes: [UInt8]
  private(set) var results: [UInt8]
  private(set) var count = 0
  private let capacity: Int

  init(count: Int) {
    capacity = count
    bytes = Array(repeating: 0, count: 4 * count)
    results = Array(repeating: 0, count: count)
  }

  var isFull: Bool { count == capacity }

  mutating func removeAll() { count = 0 }

  /// Appends floats with the same result, as many as there is room for, and returns their number.
  mutating func append(
    from start: Int64, to end: Int64, isNegative: Bool, _ result: UInt8
  ) -> Int64 {
    let added = min(Int(end - start), capacity - count)
    let first = UInt32(truncatingIfNeeded: start) | (isNegative ? 1 << 31 : 0)
    bytes.withUnsafeMutableBytes { bytes in
      let words = bytes.bindMemory(to: UInt32.self)
      for index in 0..<added { words[count + index] = (first &+ UInt32(index)).littleEndian }
    }
    for index in count..<count + added { results[index] = result }
    count += added
    return Int64(added)
  }

  func number(at index: Int) -> Float {
    bytes.withUnsafeBytes { Float(bitPattern: $0.load(fromByteOffset: 4 * index, as: UInt32.self)) }
  }
}
