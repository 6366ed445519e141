import OcellusModelFile
import OcellusPlatform

/// Makes mutants of a model's graph, each written as a valid file.
///
/// It changes lists of inputs and outputs, options, types, shapes, quantization, constants and
/// variables, in ways that damaged bytes would hardly produce. Mutant `number` is always the same
/// for a model and a seed.
package struct GraphMutator {
  private let original: ModelWriter
  private let seed: UInt64

  /// - Returns: `nil` if the file is not a model.
  package init?(original bytes: [UInt8], seed: UInt64) {
    guard let file = try? ModelFile(ModelBytes(bytes)),
      let writer = try? ModelWriter(copying: file), !writer.subgraphs.isEmpty
    else { return nil }
    (original, self.seed) = (writer, seed)
  }

  /// Returns the bytes of a mutant and a description of its changes.
  package func mutant(_ number: Int) -> (bytes: [UInt8], change: String) {
    var random = SplitMix64(seed: seed &* 0x9FB2_1C65_1E98_DF25 &+ UInt64(number))
    var writer = original
    var changes: [String] = []
    // Half of the mutants have one change, a quarter have two, and so on.
    for _ in 0...min((random.next() | 1 << 5).trailingZeroBitCount, 5) {
      let index = Int.random(in: 0..<writer.subgraphs.count, using: &random)
      if let change = Self.change(&writer.subgraphs[index], &random) {
        changes.append("subgraph \(index): \(change)")
      }
    }
    return (writer.bytes(), changes.isEmpty ? "nothing" : changes.joined(separator: ", "))
  }

  private static func change(
    _ subgraph: inout ModelWriter.Subgraph, _ random: inout SplitMix64
  ) -> String? {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return changeList(&subgraph.inputs, of: "inputs", subgraph.tensors.count, &random)
    case 1: return changeList(&subgraph.outputs, of: "outputs", subgraph.tensors.count, &random)
    case 2...4:
      guard let node = subgraph.operators.indices.randomElement(using: &random) else { return nil }
      let tensorCount = subgraph.tensors.count
      return change(&subgraph.operators[node], tensorCount, &random).map { "node \(node) \($0)" }
    default:
      guard let tensor = subgraph.tensors.indices.randomElement(using: &random) else { return nil }
      return subgraph.tensors[tensor].change(&random).map { "tensor \(tensor) \($0)" }
    }
  }

  private static func change(
    _ node: inout ModelWriter.Operator, _ tensorCount: Int, _ random: inout SplitMix64
  ) -> String? {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return changeList(&node.inputs, of: "inputs", tensorCount, &random)
    case 1: return changeList(&node.outputs, of: "outputs", tensorCount, &random)
    case 2:
      guard let position = node.customOptions.indices.randomElement(using: &random) else {
        return nil
      }
      node.customOptions[position] = [0, 0x7F, 0xFF].randomElement(using: &random) ?? 0
      return "custom options at \(position)"
    default:
      var random = random
      if node.options2 != nil, node.options == nil {
        return node.options2?.fields.changeNumber(&random).map { "options \($0)" }
      }
      return node.options?.fields.changeNumber(&random).map { "options \($0)" }
    }
  }

  /// Adds, removes, duplicates or replaces an index in a list of tensors.
  private static func changeList(
    _ list: inout [Int], of name: String, _ tensorCount: Int, _ random: inout SplitMix64
  ) -> String? {
    let tensor = Int.random(in: -1..<tensorCount, using: &random)
    guard let position = list.indices.randomElement(using: &random) else {
      list.append(max(tensor, 0))
      return "\(name) + \(tensor)"
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      list.append(max(tensor, 0))
      return "\(name) + \(tensor)"
    case 1:
      list.append(list[position])
      return "\(name) + \(list[position]) again"
    case 2:
      return "\(name) without \(list.remove(at: position))"
    default:
      list[position] = tensor
      return "\(name)[\(position)] = \(tensor)"
    }
  }
}

extension SplitMix64 {
  /// Returns an integer that is likely to expose errors in arithmetic.
  fileprivate mutating func boundaryInteger() -> Int {
    let numbers = [
      0, 1, -1, 2, 3, 7, 100, Int(Int32.max), Int(Int32.min), .max, .min, 1 << 16,
    ]
    return numbers.randomElement(using: &self) ?? 0
  }

  fileprivate mutating func boundaryFloat() -> Float {
    let numbers: [Float] = [0, -1, 1, .nan, .infinity, 1e38, .leastNonzeroMagnitude, 1e-30]
    return numbers.randomElement(using: &self) ?? 0
  }
}

extension FlatFields {
  /// Changes one of the numbers in a table of options.
  fileprivate mutating func changeNumber(_ random: inout SplitMix64) -> String? {
    // Sorted, so the same seed makes the same mutant.
    guard let field = keys.sorted().randomElement(using: &random), let value = self[field] else {
      return nil
    }
    let number = random.boundaryInteger()
    switch value {
    case .bool(let flag): self[field] = .bool(!flag)
    case .int8: self[field] = .int8(Int8(truncatingIfNeeded: number))
    case .uint8: self[field] = .uint8(UInt8(truncatingIfNeeded: number))
    case .int32: self[field] = .int32(Int32(truncatingIfNeeded: number))
    case .uint32: self[field] = .uint32(UInt32(truncatingIfNeeded: number))
    case .int64: self[field] = .int64(Int64(number))
    case .uint64: self[field] = .uint64(UInt64(truncatingIfNeeded: number))
    case .float: self[field] = .float(random.boundaryFloat())
    case .int32s(let list):
      self[field] = .int32s(list.changed(to: Int32(truncatingIfNeeded: number), &random))
    case .int64s(let list): self[field] = .int64s(list.changed(to: Int64(number), &random))
    default: return nil
    }
    return "field \(field) from \(value) to \(number)"
  }
}

extension Array {
  /// Returns the list with one element replaced or appended.
  fileprivate func changed(to element: Element, _ random: inout SplitMix64) -> [Element] {
    var list = self
    guard let position = indices.randomElement(using: &random), Bool.random(using: &random) else {
      return list + [element]
    }
    list[position] = element
    return list
  }
}

extension ModelWriter.Tensor {
  fileprivate mutating func change(_ random: inout SplitMix64) -> String? {
    switch Int.random(in: 0..<7, using: &random) {
    case 0, 1: return changeShape(&random)
    case 2:
      let types: [TensorType] = [
        .float32, .int32, .uint8, .int64, .string, .bool, .int16, .int8, .float16, .int4,
      ]
      type = types.randomElement(using: &random) ?? .float32
      return "type \(type)"
    case 3:
      isVariable.toggle()
      return "variable \(isVariable)"
    case 4: return changeConstant(&random)
    default: return changeQuantization(&random)
    }
  }

  private mutating func changeShape(_ random: inout SplitMix64) -> String? {
    let extents = [0, 1, 2, 3, 5, 64, 65_536, Int(Int32.max)]
    switch Int.random(in: 0..<4, using: &random) {
    case 0: shape.insert(1, at: 0)
    case 1 where !shape.isEmpty: shape.removeFirst()
    default:
      guard let axis = shape.indices.randomElement(using: &random) else { return nil }
      let neighbours = [shape[axis] + 1, max(shape[axis] - 1, 0), 2 * shape[axis]]
      let extent = (extents + neighbours + neighbours).randomElement(using: &random) ?? 1
      shape[axis] = min(extent, Int(Int32.max))
    }
    return "shape \(shape)"
  }

  private mutating func changeConstant(_ random: inout SplitMix64) -> String? {
    guard var bytes = constant, !bytes.isEmpty else { return nil }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      bytes += bytes
      constant = bytes
      return "constant twice"
    case 1:
      constant = nil
      return "no constant"
    default:
      let width = type == .int64 ? 8 : type == .int32 || type == .float32 ? 4 : 1
      let position = Int.random(in: 0..<(bytes.count + width - 1) / width, using: &random) * width
      let number =
        type == .float32
        ? Int(random.boundaryFloat().bitPattern) : random.boundaryInteger()
      for byte in 0..<width where position + byte < bytes.count {
        bytes[position + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte))
      }
      constant = bytes
      return "constant at \(position) = \(number)"
    }
  }

  private mutating func changeQuantization(_ random: inout SplitMix64) -> String? {
    guard var record = quantization, !record.scales.isEmpty else { return nil }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      quantization = nil
      return "no quantization"
    case 1:
      let scale = random.boundaryFloat()
      record.scales = record.scales.changed(to: scale, &random)
    case 2: record.zeroPoints = record.zeroPoints.changed(to: random.boundaryInteger(), &random)
    default:
      guard let axis = shape.indices.randomElement(using: &random), shape[axis] < 1 << 12 else {
        return nil
      }
      record.axis = axis
      record.scales = Array(repeating: record.scales[0], count: shape[axis])
      record.zeroPoints = Array(repeating: 0, count: shape[axis])
    }
    quantization = record
    return "quantization"
  }
}
