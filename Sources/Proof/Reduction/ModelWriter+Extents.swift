import OcellusModelFile

extension ModelWriter {
  /// The extents greater than 1 of all tensors, the largest first.
  var extents: [Int] {
    Set(subgraphs.flatMap(\.tensors).flatMap(\.shape).filter { $0 > 1 }).sorted(by: >)
  }

  /// Returns the model with another extent wherever one occurs: in shapes, and in the short lists of
  /// integers from which operators read shapes.
  ///
  /// What belongs together usually has the same extent, so the result is often consistent; the
  /// engine tells whether it is.
  ///
  /// - Returns: `nil` if a constant's elements cannot be left out.
  func replacing(extent: Int, by other: Int) -> ModelWriter? {
    var model = self
    for subgraph in subgraphs.indices {
      for tensor in subgraphs[subgraph].tensors.indices {
        let isChanged = model.subgraphs[subgraph].tensors[tensor].replace(extent: extent, by: other)
        guard isChanged else { return nil }
      }
      for node in subgraphs[subgraph].operators.indices {
        model.subgraphs[subgraph].operators[node].options?.replace(extent: extent, by: other)
      }
    }
    return model
  }
}

extension ModelWriter.Tensor {
  /// The longest list of integers that is taken for a shape.
  private static let longestShape = 8

  /// Replaces an extent; returns `false` if the constant cannot be cut to its new size.
  fileprivate mutating func replace(extent: Int, by other: Int) -> Bool {
    replaceInList(extent, by: other)
    guard shape.contains(extent) else { return true }
    cutQuantization(to: other, wherever: extent)
    shape = shape.map { $0 == extent ? other : $0 }
    shapeSignature = shapeSignature?.map { $0 == extent ? other : $0 }
    guard let bytes = constant else { return true }
    guard sparsity == nil, let count = type.byteCount(shape: shape), count <= bytes.count else {
      return false
    }
    constant = Array(bytes.prefix(count))
    return true
  }

  private mutating func replaceInList(_ extent: Int, by other: Int) {
    guard [.int32, .int64].contains(type), shape.count <= 1, let bytes = constant,
      let size = type.byteCount(shape: []), bytes.count <= Self.longestShape * size
    else { return }
    var changed = bytes
    for start in stride(from: 0, to: bytes.count - size + 1, by: size) {
      let word = bytes[start..<start + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
      guard word == UInt64(extent) else { continue }
      for byte in 0..<size {
        changed[start + byte] = UInt8(truncatingIfNeeded: other >> (8 * byte))
      }
    }
    constant = changed
  }

  private mutating func cutQuantization(to other: Int, wherever extent: Int) {
    guard let record = quantization, record.scales.count == extent, extent > 1,
      shape.indices.contains(record.axis), shape[record.axis] == extent
    else { return }
    quantization?.scales = Array(record.scales.prefix(other))
    quantization?.zeroPoints = Array(record.zeroPoints.prefix(other))
    quantization?.minimum = Array(record.minimum.prefix(other))
    quantization?.maximum = Array(record.maximum.prefix(other))
  }
}

extension ModelWriter.Options {
  fileprivate mutating func replace(extent: Int, by other: Int) {
    for case (let field, .int32s(let numbers)) in fields {
      fields[field] = .int32s(numbers.map { $0 == extent ? Int32(other) : $0 })
    }
  }
}
