import OcellusEngine

/// A model of one operator whose inputs are as large as a memory budget allows.
struct LargeInstance {
  /// The contents of the inputs, which may decide how much work there is.
  enum Filling: String, CaseIterable {
    case zeros, small, drawn
  }

  var shapes: [Shape]
  /// The shapes, for messages.
  var name: String

  /// The exponents of the extents that are tried, from the largest.
  private static let exponents = [26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6]

  /// Returns an instance for each axis that can be enlarged: in all inputs together, and in each
  /// alone.
  static func all(of model: Model, options: Interpreter.Options) throws -> [LargeInstance] {
    let interpreter = try Interpreter(model, options: options)
    let shapes = interpreter.inputs.map(\.shape)
    var instances: [LargeInstance] = []
    for axis in 0..<(shapes.map(\.rank).max() ?? 0) {
      let sets = [Array(shapes.indices)] + (shapes.count > 1 ? shapes.indices.map { [$0] } : [])
      for set in sets {
        if let instance = largest(of: set, axis: axis, shapes, interpreter) {
          instances.append(instance)
        }
      }
    }
    return instances
  }

  private static func largest(
    of inputs: [Int], axis: Int, _ shapes: [Shape], _ interpreter: Interpreter
  ) -> LargeInstance? {
    for exponent in exponents {
      var changed = shapes
      for input in inputs where axis < shapes[input].rank {
        var dimensions = shapes[input].dimensions
        dimensions[axis] = 1 << exponent
        changed[input] = Shape(dimensions)
      }
      if changed == shapes { return nil }
      let instance = LargeInstance(
        shapes: changed, name: changed.map(\.description).joined(separator: " "))
      if (try? instance.prepare(interpreter)) != nil { return instance }
    }
    return nil
  }

  /// Plans the interpreter for the shapes.
  func prepare(_ interpreter: Interpreter) throws {
    for (index, shape) in shapes.enumerated() {
      try interpreter.resizeInput(at: index, to: shape)
    }
    try interpreter.allocate()
  }

  /// Fills the inputs; returns `false` if there is no memory for strings.
  func fill(_ interpreter: Interpreter, _ filling: Filling) throws -> Bool {
    for (index, input) in interpreter.inputs.enumerated() {
      if input.type == .string {
        guard (try? interpreter.main.fillWithEmptyStrings(at: index)) != nil else { return false }
      } else {
        try interpreter.main.withInputBytes(at: index) { filling.fill($0, of: input.type) }
      }
    }
    return true
  }
}

extension LargeInstance.Filling {
  /// Writes zeros or random values; 32- and 64-bit integers are small, as indices and counts are.
  func fill(_ bytes: UnsafeMutableRawBufferPointer, of type: ElementType) {
    guard self != .zeros else {
      _ = bytes.initializeMemory(as: UInt8.self, repeating: 0)
      return
    }
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
    func each<Number: BitwiseCopyable>(_ number: (UInt64) -> Number) {
      for value in bytes.bindMemory(to: Number.self).indices {
        bytes.storeBytes(
          of: number(next()), toByteOffset: value * MemoryLayout<Number>.stride, as: Number.self)
      }
    }
    let mask: UInt64 = self == .small ? 3 : .max
    switch type {
    case .float32: each { Float($0 & 0xFFFF & mask) / 1024 }
    case .float64: each { Double($0 & 0xFFFF & mask) / 1024 }
    case .int32, .uint32: each { Int32(truncatingIfNeeded: $0 & mask & 0xFFF) }
    case .int64, .uint64: each { Int64($0 & mask & 0xFFF) }
    case .bool: each { UInt8($0 & 1) }
    default: each { UInt8(truncatingIfNeeded: $0 & mask) }
    }
  }
}
