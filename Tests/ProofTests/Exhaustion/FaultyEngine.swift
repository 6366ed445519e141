import OcellusAudit
import OcellusEngine
import OcellusModelFile
import OcellusProof

/// A fault of a kernel that shows for a single value only.
enum PlantedFault {
  /// Every result whose sum is this is wrong by one; other channels' too.
  case sum(Int64)
  /// Every result of this byte is wrong.
  case value(Int)
  /// Every result of these two bytes is wrong.
  case pair(Int, Int)
  /// The first result of a call with this number is wrong.
  case result(Int)
  /// Results that should be this byte are wrong.
  case selected(UInt8)
  /// Results of these two bytes in a row of two are wrong.
  case row(Int, Int)
  /// In rows of a softmax with this sum of exponentials, the results of this difference from the
  /// greatest element are wrong.
  case exponential(sum: Int64, difference: Int)
}

extension PlantedFault {
  fileprivate var isOfSoftmax: Bool {
    if case .exponential = self { return true }
    return false
  }
}

/// The sums of rows of a softmax.
private struct SoftmaxRows {
  private let summands: [Int64]
  private let length: Int

  init?(of subgraph: SubgraphRecord) {
    let tensor = subgraph.tensors[0]
    guard let scale = tensor.quantization?.scales.first, let length = tensor.shape.last,
      let plain = PlainSoftmax(scale: scale, beta: 1)
    else { return nil }
    (self.length, summands) = (length, plain.summands)
  }

  /// Returns the places of a difference in rows with a sum; bytes are signed.
  func places(of wanted: Int64, _ difference: Int, in bytes: [UInt8]) -> [Int] {
    var places: [Int] = []
    for start in stride(from: 0, to: bytes.count, by: length) {
      let row = (start..<start + length).map { Int(bytes[$0] ^ 0x80) }
      let greatest = row.max() ?? 0
      guard row.reduce(0, { $0 + summands[greatest - $1] }) == wanted else { continue }
      places += row.indices.filter { greatest - row[$0] == difference }.map { start + $0 }
    }
    return places
  }
}

/// An engine whose kernels have a fault.
struct FaultyEngine: NodeEngine {
  private let engine: any NodeEngine
  private let fault: PlantedFault

  init(_ engine: any NodeEngine, _ fault: PlantedFault) {
    (self.engine, self.fault) = (engine, fault)
  }

  func session(of file: [UInt8], _ settings: NodeSettings) throws -> any NodeSession {
    let session = try engine.session(of: file, settings)
    return settings.isReference
      ? session : FaultySession(session, try ModelFile(ModelBytes(file)), fault)
  }
}

private final class FaultySession: NodeSession {
  private let session: any NodeSession
  private let sums: PlainSums?
  private let rows: SoftmaxRows?
  private let fault: PlantedFault
  private var callCount = 0

  init(_ session: any NodeSession, _ file: ModelFile, _ fault: PlantedFault) {
    (self.session, self.fault) = (session, fault)
    let names = file.operatorCodes.map(\.name)
    // A transposed convolution is faulty where it scales, which is seen in a probe.
    if case .sum = fault, names != ["TRANSPOSE_CONV"] {
      sums = PlainSums(of: file.subgraphs[0])
    } else {
      sums = nil
    }
    rows = fault.isOfSoftmax ? SoftmaxRows(of: file.subgraphs[0]) : nil
  }

  var kernel: String { session.kernel }
  var strategy: KernelName? { session.strategy }

  func results(of operands: [StoredTensor]) throws -> [StoredTensor] {
    var results = try session.results(of: operands)
    var places = wrongPlaces(operands)
    if case .selected(let byte) = fault {
      places = results[0].bytes.indices.filter { results[0].bytes[$0] == byte }
    }
    let width = results[0].bytes.count / max(results[0].shape.elementCount, 1)
    for place in places { results[0].bytes[place * width] ^= 1 }
    callCount += 1
    return results
  }

  private func wrongPlaces(_ operands: [StoredTensor]) -> [Int] {
    switch fault {
    case .selected: return []
    case .result(let call): return call == callCount ? [0] : []
    case .value(let value):
      return operands[0].bytes.indices.filter { Int(operands[0].bytes[$0]) == value }
    case .pair(let a, let b):
      return operands[0].bytes.indices.filter {
        Int(operands[0].bytes[$0]) == a && Int(operands[1].bytes[$0]) == b
      }
    case .row(let a, let b):
      return stride(from: 0, to: operands[0].bytes.count, by: 2).filter {
        Int(operands[0].bytes[$0]) == a && Int(operands[0].bytes[$0 + 1]) == b
      }
    case .exponential(let sum, let difference):
      return rows?.places(of: sum, difference, in: operands[0].bytes) ?? []
    case .sum(let sum):
      return sums?.places(of: sum, from: operands[0].bytes) ?? []
    }
  }
}

/// The sums of a node with weights, computed one by one; rows of FULLY_CONNECTED are lines of pixels.
private struct PlainSums {
  /// A weight that is not zero, and where its factor is in a window.
  private struct Term {
    let line: Int
    let column: Int
    let depth: Int
    let weight: Int64
  }

  private let inputZero: Int64
  private let isSigned: Bool
  private let inputShape: (height: Int, width: Int, depth: Int)
  private let outputSize: (height: Int, width: Int)
  private let padding: (height: Int, width: Int)
  private let biases: [Int64]
  private let terms: [[Term]]

  init(of subgraph: SubgraphRecord) {
    let (x, w, b) = (subgraph.tensors[0], subgraph.tensors[1], subgraph.tensors[2])
    func number(_ byte: UInt8, _ tensor: TensorRecord) -> Int64 {
      let zero = Int64(tensor.quantization?.zeroPoints.first ?? 0)
      return (tensor.type == .int8 ? Int64(Int8(bitPattern: byte)) : Int64(byte)) - zero
    }
    func image(_ shape: [Int]) -> [Int] { shape.count == 4 ? shape : [1, shape[0], 1, shape[1]] }
    let (source, result) = (
      image(x.shape), image(subgraph.tensors[subgraph.tensors.count - 1].shape)
    )
    let window = w.shape.count == 4 ? w.shape : [w.shape[0], 1, 1, w.shape[1]]
    let isDepthwise = window[0] == 1 && result[3] > 1
    inputZero = Int64(x.quantization?.zeroPoints.first ?? 0)
    isSigned = x.type == .int8
    biases = (b.data.map { Array($0) } ?? []).int32s
    inputShape = (source[1], source[2], source[3])
    outputSize = (result[1], result[2])
    padding = (
      (result[1] + window[1] - 1 - source[1]) / 2, (result[2] + window[2] - 1 - source[2]) / 2
    )
    let weights = (w.data.map { Array($0) } ?? []).map { number($0, w) }
    var terms: [[Term]] = Array(repeating: [], count: biases.count)
    for (index, weight) in weights.enumerated() where weight != 0 {
      let (pixel, depth) = index.quotientAndRemainder(dividingBy: window[3])
      let channel = isDepthwise ? depth : pixel / (window[1] * window[2])
      terms[channel].append(
        Term(
          line: pixel / window[2] % window[1], column: pixel % window[2], depth: depth,
          weight: weight))
    }
    self.terms = terms
  }

  /// Returns the places of results with a sum.
  func places(of wanted: Int64, from bytes: [UInt8]) -> [Int] {
    let input = bytes.map { byte in
      (isSigned ? Int64(Int8(bitPattern: byte)) : Int64(byte)) - inputZero
    }
    return biases.indices.flatMap { channel in places(of: wanted, channel, from: input) }
  }

  /// Returns a range that contains every sum of a channel.
  private func reach(of terms: [Term], _ channel: Int) -> ClosedRange<Int64> {
    let least = (isSigned ? -128 : 0) - inputZero
    var (low, high) = (biases[channel], biases[channel])
    for term in terms {
      let ends = [term.weight * least, term.weight * (least + 255)]
      low += min(ends[0], ends[1], 0)
      high += max(ends[0], ends[1], 0)
    }
    return low...high
  }

  private func places(of wanted: Int64, _ channel: Int, from input: [Int64]) -> [Int] {
    var places: [Int] = []
    let terms = terms[channel]
    guard reach(of: terms, channel).contains(wanted) else { return [] }
    for y in 0..<outputSize.height {
      for x in 0..<outputSize.width {
        var sum = biases[channel]
        for term in terms {
          let (line, column) = (y + term.line - padding.height, x + term.column - padding.width)
          guard line >= 0, line < inputShape.height, column >= 0, column < inputShape.width else {
            continue
          }
          let pixel = line * inputShape.width + column
          sum += term.weight * input[pixel * inputShape.depth + term.depth]
        }
        if sum == wanted { places.append((y * outputSize.width + x) * biases.count + channel) }
      }
    }
    return places
  }
}

extension [UInt8] {
  fileprivate var int32s: [Int64] {
    stride(from: 0, to: count, by: 4).map { start in
      let word = self[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return Int64(Int32(bitPattern: word))
    }
  }
}
