import OcellusKernelABI
import OcellusModelFile

/// CONCATENATION: tensors one after the other along an axis.
///
/// Only `uint8` operands may be quantized differently from the result; they are then rescaled.
package struct Concatenation: Rearrangement, AxisOrderAgnostic {
  package static let definition = OperatorDefinition(
    "CONCATENATION", versions: 1...7,
    types: [
      .float32, .float16, .bfloat16, .uint8, .int8, .int16, .int32, .int64, .bool, .uint32, .int4,
    ],
    make: { node throws(ModelError) in try Self(node) })

  package var traits: OperatorTraits { .skipsEmptyOperands }

  private var axis: Int
  /// The result of each of 256 integers; `nil` for operands that need no rescaling.
  private let rescaling: [[UInt8]?]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1...Int.max)
    let options = node.options(BuiltinOptionsTag.concatenation)
    axis = try options.integer(0)
    if try FusedActivation(options, field: 1) != .none {
      throw node.unsupported("a fused activation is not supported here")
    }
    let output = try node.output(0)
    var rescaling: [[UInt8]?] = []
    for position in node.inputs.indices {
      let input = try node.input(position)
      try node.requireSameType(input, output)
      if input.type == .int8 { try node.requireSameQuantization(input, output) }
      try node.require(
        input.type != .int16 || (input.uniformZeroPoint == 0 && output.uniformZeroPoint == 0),
        "int16 needs the zero point 0")
      rescaling.append(input.type == .uint8 ? Self.rescaling(from: input, to: output) : nil)
    }
    self.rescaling = rescaling
  }

  /// Returns whether it joins bytes unchanged along this axis.
  func joinsBytes(of axis: Int) -> Bool {
    axis == self.axis && rescaling.allSatisfy { $0 == nil }
  }

  package func reordered(_ order: AxisOrder) -> any Operator {
    var reordered = self
    // An axis that is out of range stays so.
    reordered.axis = order.position(of: axis < 0 ? axis + order.rank : axis) ?? axis
    return reordered
  }

  /// Returns the table that rescales an operand's bytes.
  ///
  /// The official kernel computes in floats, rounds half away from zero, and replaces integers that
  /// do not fit by the smallest.
  private static func rescaling(from input: TensorSpec, to output: TensorSpec) -> [UInt8]? {
    let (inputZeroPoint, outputZeroPoint) = (input.uniformZeroPoint, output.uniformZeroPoint)
    guard input.uniformScale != output.uniformScale || inputZeroPoint != outputZeroPoint else {
      return nil
    }
    let scale = input.uniformScale * (1 / output.uniformScale)
    let bias = Float(-inputZeroPoint) * scale
    return (0..<256).map { value in
      let rounded = (Float(value) * scale + bias).rounded(.toNearestOrAwayFromZero)
      let steps = Int32(exactly: rounded) ?? .min
      return UInt8(clamping: Int(steps) + outputZeroPoint)
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    var result = Self.vectorized(context.shape(0))
    let axis = try context.axis(axis, rank: result.rank)
    for position in 1..<max(context.inputCount, 1) {
      let shape = Self.vectorized(context.shape(position))
      try context.require(shape.rank == result.rank, "the ranks differ")
      for other in 0..<shape.rank where other != axis {
        try context.require(shape[other] == result[other], "the shapes differ beside axis \(axis)")
      }
      result[axis] += shape[axis]
    }
    return [result]
  }

  /// Returns a shape in which a scalar is a vector of one element, as which it is joined.
  private static func vectorized(_ shape: Shape) -> Shape { shape.rank == 0 ? [1] : shape }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    let axis = try operands.axis(axis, rank: results[0].rank)
    let strides = results[0].strides
    var offset = 0
    return (0..<operands.inputCount).map { position in
      let shape = Self.vectorized(operands.shape(position))
      defer { offset += shape[axis] * strides[axis] }
      let copy = StridedCopy(
        extents: shape.dimensions, source: .init(shape),
        destination: .init(offset: offset, strides: strides))
      return ElementCopy(from: .input(position), copy)
    }
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let joining = try rearrangingStep(context) else { return nil }
    let regions = try regions(ShapeContext(context), of: context.outputShapes[0])
    if regions.isEmpty { return joining }
    let tables = try regions.map { region throws(ModelError) in
      let block = try context.makeTable(byteCount: region.table.count)
      for (index, entry) in region.table.enumerated() {
        block.base.storeBytes(of: entry, toByteOffset: index, as: UInt8.self)
      }
      return block
    }
    let count = context.outputShapes[0].elementCount
    let lookUp = context.kernels.elementwise.lookUp
    return Step(kernelName: "strided copy, rescaling \(context.kernels.name)") { step in
      joining.body(step)
      let values = step.output(0).assumingMemoryBound(to: UInt8.self)
      for (region, table) in zip(regions, tables) {
        let entries = UnsafePointer(table.base.assumingMemoryBound(to: UInt8.self))
        let rowCount = (count - region.begin + region.stride - 1) / region.stride
        for chunk in step.workers.chunks(of: rowCount, workOfEach: region.count / 32) {
          for row in chunk {
            let start = values + region.begin + row * region.stride
            forEachChunk(of: region.count, step.workers.control) { slice in
              lookUp(
                LookUpArguments(
                  input: start + slice.lowerBound, table: entries, output: start + slice.lowerBound,
                  count: slice.count))
            }
          }
        }
      }
    }
  }

  package func run(_ context: RunContext) throws(ModelError) {
    try rearrange(context)
    let output = context.output(0)
    guard output.elementCount > 0 else { return }
    let values = output.values(UInt8.self)
    for region in try regions(context.operands(valued: []), of: output.shape) {
      let rowCount = (values.count - region.begin + region.stride - 1) / region.stride
      for chunk in output.chunks(of: rowCount, workOfEach: region.count) {
        for row in chunk {
          let start = region.begin + row * region.stride
          forEachChunk(of: region.count, output.control) { slice in
            for index in slice {
              values[start + index] = region.table[Int(values[start + index])]
            }
          }
        }
      }
    }
  }

  /// The rescaled elements of the result: a range in every row of the joined axis.
  private struct Region {
    var begin: Int
    var count: Int
    var stride: Int
    var table: [UInt8]
  }

  private func regions(
    _ operands: ShapeContext, of result: Shape
  ) throws(ModelError) -> [Region] {
    let axis = try operands.axis(axis, rank: result.rank)
    let inner = result.product(of: (axis + 1)..<result.rank)
    var begin = 0
    var regions: [Region] = []
    for (position, table) in rescaling.enumerated() {
      let count = Self.vectorized(operands.shape(position))[axis] * inner
      if let table, count > 0 {
        regions.append(
          Region(begin: begin, count: count, stride: result[axis] * inner, table: table))
      }
      begin += count
    }
    return regions
  }
}
