import OcellusAudit
import OcellusEngine

/// Compares the averages of whole planes with the reference kernel's, for every sum of a plane.
///
/// An average depends on nothing but the sum of its integers, which is exact in any order. Each
/// channel of a run has another sum.
struct AverageSweep {
  let tuned: any NodeSession
  let reference: any NodeSession
  let operand: TensorDescription

  /// Whether a node averages whole planes.
  static func covers(_ operatorName: String, from input: Shape, to output: Shape) -> Bool {
    ["AVERAGE_POOL_2D", "MEAN"].contains(operatorName) && input.rank == 4 && input[0] == 1
      && output.elementCount == input[3] && input.elementCount > 0
  }

  /// - Returns: the number of results that were compared.
  func run() throws -> Int {
    let (planeSize, channelCount) = (operand.shape[1] * operand.shape[2], operand.shape[3])
    let least = operand.type == .int8 ? -128 : 0
    let sumCount = 255 * planeSize + 1
    var comparisonCount = 0
    for first in stride(from: 0, to: sumCount, by: channelCount) {
      var bytes = [UInt8](repeating: 0, count: operand.shape.elementCount)
      for channel in 0..<channelCount {
        let sum = min(first + channel, sumCount - 1)
        let (quotient, rest) = sum.quotientAndRemainder(dividingBy: planeSize)
        for pixel in 0..<planeSize {
          // The larger numbers begin at another pixel in each channel.
          let isLarger = (pixel + channel) % planeSize < rest
          bytes[pixel * channelCount + channel] = UInt8(
            truncatingIfNeeded: least + quotient + (isLarger ? 1 : 0))
        }
      }
      let tensor = StoredTensor(type: operand.type, shape: operand.shape, bytes: bytes)
      let (found, wanted) = (try tuned.results(of: [tensor]), try reference.results(of: [tensor]))
      guard found.map(\.bytes) == wanted.map(\.bytes) else {
        throw KernelFault(
          "an average of sums from \(first + least * planeSize) on differs from the reference kernel's"
        )
      }
      comparisonCount += channelCount
    }
    return comparisonCount
  }
}
