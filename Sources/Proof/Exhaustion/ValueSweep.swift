import OcellusAudit
import OcellusEngine

/// Compares a kernel with its specification, the reference kernel, for every value, or pair of
/// values, of small operands.
struct ValueSweep {
  let tuned: any NodeSession
  let reference: any NodeSession
  /// The operands that vary: their types and shapes.
  let operands: [TensorDescription]

  /// The greatest number of elements that are computed in all.
  static let mostElements = 1 << 31

  /// Computes operands with every value at every place; results depend on one place each.
  ///
  /// - Returns: the number of results that were compared; `nil` if there are too many.
  func everyValue() throws -> Int? {
    let bits = operands.compactMap { Self.bits(of: $0.type) }
    guard let most = bits.max(), bits.count == operands.count else { return nil }
    let valueCount = 1 << most
    let count = operands.reduce(0) { $0 + $1.shape.elementCount }
    guard count > 0, count * valueCount <= Self.mostElements else { return nil }
    var comparisonCount = 0
    for round in 0..<valueCount {
      comparisonCount += try compare(
        operands.map { operand in Self.tensor(operand) { $0 + round } },
        describedBy: { place in
          operands.count == 1 ? "the operand \((place + round) % valueCount)" : "some operand"
        })
    }
    return comparisonCount
  }

  /// Computes two operands of 8 bits with every pair of values.
  ///
  /// Rounds go on where the last one ended, one element further, so that a pair meets several lanes
  /// of the kernel's vectors.
  func everyPair() throws -> Int? {
    guard operands.count == 2, operands.allSatisfy({ Self.bits(of: $0.type) == 8 }) else {
      return nil
    }
    let counts = operands.map(\.shape.elementCount)
    guard let count = counts.max(), let least = counts.min(), least > 0 else { return nil }
    // Rounds overlap, so that no pair is left out between them.
    let step = max(count.isMultiple(of: 2) ? count - 1 : count, 1)
    // An operand that is repeated along axes has one value in a round, around which others vary.
    let isBroadcast = operands[0].shape != operands[1].shape
    let range = isBroadcast ? 1 << 8 : 1 << 16
    let shiftCount = (range + step - 1) / step * Self.laneCount
    let rounds = isBroadcast ? shiftCount << 8 : shiftCount
    guard count * rounds <= Self.mostElements else { return nil }
    let repeated = counts[0] < counts[1] ? 0 : 1
    var comparisonCount = 0
    for round in 0..<rounds {
      func value(_ operand: Int, _ index: Int) -> Int {
        let number = index + (isBroadcast ? round >> 8 : round) * step
        if isBroadcast { return operand == repeated ? round & 255 : number & 255 }
        return number >> (8 * operand) & 255
      }
      let tensors = (0..<2).map { operand in
        Self.tensor(operands[operand]) { value(operand, $0) }
      }
      comparisonCount += try compare(
        tensors,
        describedBy: { "the operands \(value(0, $0)) and \(value(1, $0))" })
    }
    return comparisonCount
  }

  /// Computes one operand of bytes with every pair of values in two neighbouring elements of a row
  /// of two.
  func everyPairOfNeighbours() throws -> Int? {
    guard operands.count == 1, Self.bits(of: operands[0].type) == 8 else { return nil }
    let rowCount = operands[0].shape.elementCount / 2
    let rounds = ((1 << 16) + rowCount - 1) / rowCount
    guard rounds * operands[0].shape.elementCount <= Self.mostElements else { return nil }
    var comparisonCount = 0
    for round in 0..<rounds {
      func value(_ index: Int) -> Int {
        (round * rowCount + index / 2) >> (8 * (index % 2)) & 255
      }
      comparisonCount += try compare(
        [Self.tensor(operands[0], value)],
        describedBy: { "the row \(value($0 / 2 * 2)), \(value($0 / 2 * 2 + 1))" })
    }
    return comparisonCount
  }

  /// How often every pair occurs, at another place each time.
  private static let laneCount = 8

  private static func bits(of type: ElementType) -> Int? {
    switch type {
    case .int8, .uint8: 8
    case .int16, .float16: 16
    default: nil
    }
  }

  private static func tensor(
    _ operand: TensorDescription, _ value: (Int) -> Int
  ) -> StoredTensor {
    let count = operand.shape.elementCount
    let width = operand.type.byteWidth ?? 1
    var bytes = [UInt8](repeating: 0, count: count * width)
    for index in 0..<count {
      let number = value(index)
      bytes[index * width] = UInt8(truncatingIfNeeded: number)
      if width == 2 { bytes[index * width + 1] = UInt8(truncatingIfNeeded: number >> 8) }
    }
    return StoredTensor(type: operand.type, shape: operand.shape, bytes: bytes)
  }

  private func compare(
    _ tensors: [StoredTensor], describedBy text: (_ place: Int) -> String
  ) throws -> Int {
    let (found, wanted) = (try tuned.results(of: tensors), try reference.results(of: tensors))
    var count = 0
    for (found, wanted) in zip(found, wanted) {
      if found.bytes != wanted.bytes {
        let byte = zip(found.bytes, wanted.bytes).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
        let width = max(found.bytes.count / max(found.shape.elementCount, 1), 1)
        throw KernelFault(
          "element \(byte / width) of the result differs from the reference kernel's for "
            + text(byte / width))
      }
      count += wanted.shape.elementCount
    }
    return count
  }
}
