import Foundation
import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusModelFile
import OcellusProof
import OcellusTestSupport
import Testing

/// A small model of one quantized node, and the argument that proves it.
struct ProvedNode: Sendable, CustomTestStringConvertible {
  let name: String
  let file: [UInt8]
  let argument: NodeProof.Argument
  /// The least and the greatest sum of the first channel, for nodes with weights.
  var sums: ClosedRange<Int64> = 0...0

  var testDescription: String { name }

  static let all: [ProvedNode] =
    [
      convolution(), convolution(isSigned: false), convolution(extent: 3), depthwise(),
      depthwise(isSigned: false), fullyConnected(), unary("LOGISTIC"), unary("TANH"), unary("RELU"),
      unary("HARD_SWISH"), unary("DEQUANTIZE"), binary("ADD"), binary("MUL"), binary("SUB"),
      transposition, average, windowedAverage, transposedConvolution, greatestOfWindows,
      greatestOfRows, sumOfRows, softmax(2), shape,
    ] + (isFull ? [softmax(3)] : [])

  /// Whether every case is run: with fewer, the tests take half a minute.
  static var isFull: Bool {
    ProcessInfo.processInfo.environment["OCELLUS_FULL_TESTS"] != nil
  }

  /// Returns a fault of a single value that the node's inputs can lead to.
  func fault(_ generator: inout SeededGenerator) -> PlantedFault {
    switch argument {
    case .everySum where name == "SOFTMAX 3":
      .exponential(
        sum: 1 << 19 + .random(in: 1 << 13...1 << 14, using: &generator),
        difference: .random(in: 20..<35, using: &generator))
    case .everySum where sums.count > 1: .sum(.random(in: sums, using: &generator))
    case .everySum: .result(.random(in: 1..<6, using: &generator))
    case .everySelection: .selected(.random(in: 1...127, using: &generator))
    case .everyValue: .value(.random(in: 0...255, using: &generator))
    case .everyPair where name == "SOFTMAX 2":
      .row(.random(in: 0...255, using: &generator), .random(in: 0...255, using: &generator))
    case .everyPair:
      .pair(.random(in: 0...255, using: &generator), .random(in: 0...255, using: &generator))
    case .everyPlace, .everyFloat, .shapeOnly: .result(0)
    }
  }

  // MARK: Nodes with weights

  private static let channelCount = 3

  static func convolution(
    isSigned: Bool = true, extent: Int = 1, biases: [Int32] = [-300, 40, 900]
  ) -> ProvedNode {
    weighted(
      "CONV_2D", [channelCount, extent, extent, 4], input: [1, 8, 8, 4], isSigned, biases,
      result: [1, 8, 8, channelCount],
      .init(tag: BuiltinOptionsTag.conv2D, [1: .int32(1), 2: .int32(1), 3: .int8(1)]))
  }

  static func depthwise(isSigned: Bool = true) -> ProvedNode {
    weighted(
      "DEPTHWISE_CONV_2D", [1, 3, 3, channelCount], input: [1, 8, 8, channelCount], isSigned,
      [-300, 40, 900], result: [1, 8, 8, channelCount],
      .init(
        tag: BuiltinOptionsTag.depthwiseConv2D, [1: .int32(1), 2: .int32(1), 3: .int32(1)]))
  }

  static func fullyConnected() -> ProvedNode {
    weighted(
      "FULLY_CONNECTED", [channelCount, 10], input: [1, 10], true, [-300, 40, 900],
      result: [1, channelCount], .init(tag: BuiltinOptionsTag.fullyConnected))
  }

  static var transposedConvolution: ProvedNode {
    var generator = SeededGenerator(seed: 3)
    let weights = (0..<channelCount * 36).map { _ in UInt8.random(in: 0...127, using: &generator) }
    let size = ModelWriter.Tensor(
      "size", .int32, [4], constant: .init(bytesOf: [Int32(1), 12, 12, Int32(channelCount)]))
    let matrix = ModelWriter.Tensor(
      "weights", .int8, [channelCount, 3, 3, 4], constant: weights,
      quantization: .init(scales: [0.01, 0.02, 0.007], zeroPoints: [0, 0, 0], axis: 0))
    let file = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "TRANSPOSE_CONV"),
      reading: [size, matrix, tensor("x", [1, 6, 6, 4], scale: 0.5, zeroPoint: -3)],
      writing: [tensor("y", [1, 12, 12, channelCount], scale: 1.5, zeroPoint: 7)],
      options: .init(tag: BuiltinOptionsTag.transposeConv, [1: .int32(2), 2: .int32(2)]))
    let total = weights[..<36].reduce(0) { $0 + Int64($1) }
    return ProvedNode(
      name: "TRANSPOSE_CONV", file: file.bytes(), argument: .everySum,
      sums: -125 * total...130 * total)
  }

  private static func weighted(
    _ name: String, _ shape: [Int], input: [Int], _ isSigned: Bool, _ biases: [Int32],
    result: [Int], _ options: ModelWriter.Options
  ) -> ProvedNode {
    var generator = SeededGenerator(seed: 1)
    let isDepthwise = name == "DEPTHWISE_CONV_2D"
    let hasManyScales = isSigned && name != "FULLY_CONNECTED"
    let (type, zero): (TensorType, Int) = isSigned ? (.int8, 0) : (.uint8, 120)
    let count = shape.reduce(1, *)
    let weights = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      .map { isSigned && $0 == 128 ? 129 : $0 }
    let scales: [Float] = hasManyScales ? [0.01, 0.02, 0.007] : [0.01]
    let tensors: [ModelWriter.Tensor] = [
      .init(
        "x", type, input, quantization: .init(scales: [0.5], zeroPoints: [isSigned ? -3 : 100])),
      .init(
        "weights", type, shape, constant: weights,
        quantization: .init(
          scales: scales, zeroPoints: scales.map { _ in zero }, axis: isDepthwise ? 3 : 0)),
      .init(
        "bias", .int32, [channelCount], constant: .init(bytesOf: biases),
        quantization: .init(scales: scales.map { $0 * 0.5 }, zeroPoints: scales.map { _ in 0 })),
    ]
    let output = ModelWriter.Tensor(
      "y", type, result, quantization: .init(scales: [1.5], zeroPoints: [isSigned ? 7 : 90]))
    let file = ModelWriter.singleOperator(
      OperatorCodeRecord(named: name), reading: tensors, writing: [output], options: options)
    var sums = (low: Int64(biases[0]), high: Int64(biases[0]))
    for index in 0..<count
    where (isDepthwise ? index % channelCount : index / (count / channelCount)) == 0 {
      let weight = isSigned ? Int64(Int8(bitPattern: weights[index])) : Int64(weights[index]) - 120
      let reach: (Int64, Int64) = isSigned ? (-125, 130) : (-100, 155)
      sums.low += min(weight * reach.0, weight * reach.1)
      sums.high += max(weight * reach.0, weight * reach.1)
    }
    return ProvedNode(
      name: "\(name) \(type)\(shape.contains(3) && shape[1] == 3 ? " 3x3" : "")",
      file: file.bytes(), argument: .everySum, sums: sums.low...sums.high)
  }

  // MARK: Nodes without weights

  private static func tensor(
    _ name: String, _ shape: [Int], scale: Float = 0.05, zeroPoint: Int = 4
  ) -> ModelWriter.Tensor {
    .init(name, .int8, shape, quantization: .init(scales: [scale], zeroPoints: [zeroPoint]))
  }

  static func unary(_ name: String) -> ProvedNode {
    var result = tensor("y", [1, 70], scale: 1 / 256, zeroPoint: -128)
    if name == "TANH" { result = tensor("y", [1, 70], scale: 1 / 128, zeroPoint: 0) }
    if name == "RELU" || name == "HARD_SWISH" { result = tensor("y", [1, 70], scale: 0.06) }
    if name == "DEQUANTIZE" { result = .init("y", .float32, [1, 70]) }
    let file = ModelWriter.singleOperator(
      OperatorCodeRecord(named: name), reading: [tensor("x", [1, 70])], writing: [result])
    return ProvedNode(name: name, file: file.bytes(), argument: .everyValue)
  }

  static func binary(_ name: String) -> ProvedNode {
    let tags = [
      "ADD": BuiltinOptionsTag.add, "MUL": BuiltinOptionsTag.mul, "SUB": BuiltinOptionsTag.sub,
    ]
    let file = ModelWriter.singleOperator(
      OperatorCodeRecord(named: name),
      reading: [tensor("a", [1, 3000]), tensor("b", [1, 3000], scale: 0.03, zeroPoint: -9)],
      writing: [tensor("y", [1, 3000], scale: 0.08)], options: .init(tag: tags[name] ?? 0))
    return ProvedNode(name: name, file: file.bytes(), argument: .everyPair)
  }

  static var transposition: ProvedNode {
    let order = ModelWriter.Tensor(
      "order", .int32, [3], constant: .init(bytesOf: [Int32(2), 0, 1]))
    let file = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "TRANSPOSE"), reading: [tensor("x", [5, 7, 40]), order],
      writing: [tensor("y", [40, 5, 7])])
    return ProvedNode(name: "TRANSPOSE", file: file.bytes(), argument: .everyPlace)
  }

  private static func pool(
    _ name: String, _ input: [Int], window: Int32, _ output: [Int], _ argument: NodeProof.Argument
  ) -> ProvedNode {
    let file = ModelWriter.singleOperator(
      OperatorCodeRecord(named: name), reading: [tensor("x", input)],
      writing: [tensor("y", output)],
      options: .init(
        tag: BuiltinOptionsTag.pool2D,
        [0: .int8(0), 1: .int32(1), 2: .int32(1), 3: .int32(window), 4: .int32(window)]))
    return ProvedNode(name: "\(name) of windows", file: file.bytes(), argument: argument)
  }

  static var windowedAverage: ProvedNode {
    pool("AVERAGE_POOL_2D", [1, 7, 6, 20], window: 3, [1, 7, 6, 20], .everySum)
  }

  static var greatestOfWindows: ProvedNode {
    pool("MAX_POOL_2D", [1, 5, 7, 20], window: 3, [1, 5, 7, 20], .everySelection)
  }

  private static func reduction(_ name: String, _ argument: NodeProof.Argument) -> ProvedNode {
    let axes = ModelWriter.Tensor("axes", .int32, [2], constant: .init(bytesOf: [Int32(1), -1]))
    let file = ModelWriter.singleOperator(
      OperatorCodeRecord(named: name), reading: [tensor("x", [4, 3, 9, 2]), axes],
      writing: [tensor("y", [4, 9], scale: name == "SUM" ? 0.3 : 0.05)])
    return ProvedNode(name: name, file: file.bytes(), argument: argument)
  }

  static var greatestOfRows: ProvedNode { reduction("REDUCE_MAX", .everySelection) }
  static var sumOfRows: ProvedNode { reduction("SUM", .everySum) }

  static func softmax(_ length: Int) -> ProvedNode {
    let file = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "SOFTMAX"),
      reading: [tensor("x", [40, length], scale: 0.3, zeroPoint: 4)],
      writing: [tensor("y", [40, length], scale: 1 / 256, zeroPoint: -128)],
      options: .init(tag: BuiltinOptionsTag.softmax, [0: .float(1)]))
    return ProvedNode(
      name: "SOFTMAX \(length)", file: file.bytes(), argument: length == 2 ? .everyPair : .everySum)
  }

  static var shape: ProvedNode {
    let file = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "SHAPE"), reading: [tensor("x", [3, 5])],
      writing: [.init("y", .int32, [2])],
      options: .init(tag: BuiltinOptionsTag.shape, [0: .int8(2)]))
    return ProvedNode(name: "SHAPE", file: file.bytes(), argument: .shapeOnly)
  }

  static var average: ProvedNode {
    let file = ModelWriter.singleOperator(
      OperatorCodeRecord(named: "AVERAGE_POOL_2D"), reading: [tensor("x", [1, 5, 5, 24])],
      writing: [tensor("y", [1, 1, 1, 24])],
      options: .init(
        tag: BuiltinOptionsTag.pool2D,
        [0: .int8(1), 1: .int32(1), 2: .int32(1), 3: .int32(5), 4: .int32(5)]))
    return ProvedNode(name: "AVERAGE_POOL_2D", file: file.bytes(), argument: .everySum)
  }
}

extension OwnEngine {
  /// The instruction sets that this processor has.
  static var instructionSets: [String] { KernelTable.available.map(\.name) }
}
