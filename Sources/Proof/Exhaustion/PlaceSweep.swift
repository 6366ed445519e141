import OcellusAudit
import OcellusEngine

/// Compares where a node that only moves elements gets each of them from.
///
/// What a mover does is a list of places. Elements that hold their own numbers, one byte of it in
/// each round, tell all places apart, so that equal results mean equal lists.
struct PlaceSweep {
  let tuned: any NodeSession
  let reference: any NodeSession
  let operands: [TensorDescription]

  /// The bits of a number that elements of all operands can hold in one round.
  private var digitBits: Int {
    if operands.contains(where: { $0.type == .bool }) { return 1 }
    // Of wider types the highest byte holds the digit; without its sign, floats are numbers.
    return operands.allSatisfy { $0.type.byteWidth == 1 } ? 8 : 7
  }

  /// - Returns: the number of results that were compared.
  func run() throws -> Int {
    let total = operands.reduce(0) { $0 + $1.shape.elementCount }
    var comparisonCount = 0
    var round = 0
    repeat {
      var start = 0
      let tensors = operands.map { operand in
        defer { start += operand.shape.elementCount }
        return tensor(operand, from: start, round)
      }
      let (found, wanted) = (try tuned.results(of: tensors), try reference.results(of: tensors))
      for (found, wanted) in zip(found, wanted) {
        guard found.bytes == wanted.bytes else {
          throw KernelFault("a result has other elements than the reference kernel's")
        }
        comparisonCount += wanted.shape.elementCount
      }
      round += 1
    } while (total - 1) >> (digitBits * round) > 0
    return comparisonCount
  }

  private func tensor(_ operand: TensorDescription, from start: Int, _ round: Int) -> StoredTensor {
    let width = operand.type.byteWidth ?? 1
    let mask = 1 << digitBits - 1
    var bytes = [UInt8](repeating: 0, count: operand.shape.elementCount * width)
    for index in 0..<operand.shape.elementCount {
      let digit = (start + index) >> (digitBits * round) & mask
      bytes[index * width + width - 1] = UInt8(digit)
    }
    return StoredTensor(type: operand.type, shape: operand.shape, bytes: bytes)
  }
}
