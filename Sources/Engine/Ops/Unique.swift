import OcellusModelFile

/// UNIQUE: the different elements of a vector in the order of their first occurrence, and for each
/// element the place of its like among them.
package struct Unique: Operator {
  package static let definition = OperatorDefinition(
    "UNIQUE", types: [.int8, .int16, .int32, .int64, .float32, .uint8],
    make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs = [0]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1, outputs: 2)
    try node.requireSameType(node.input(0), node.output(0))
    try node.require(node.output(1), .int32, .int64)
    let type = try node.options(BuiltinOptionsTag.unique).integer(
      0, as: Int8.self, default: ElementType.int32.rawValue)
    try node.require(
      type == node.output(1).type.rawValue, "the places do not have the type in the options")
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(shape.rank == 1, "takes a vector")
    guard let values = context.value(0) else { throw context.error("the elements are not known") }
    return [[Occurrences(of: values).firsts.count], shape]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (values, unique, places) = (context.input(0), context.output(0), context.output(1))
    let occurrences = Occurrences(of: values)
    try context.require(
      occurrences.firsts.count == unique.elementCount, "the elements have changed")
    let width = values.type.byteWidth ?? 1
    if let source = values.bytes.baseAddress, let target = unique.bytes.baseAddress {
      for (place, first) in occurrences.firsts.enumerated() {
        (target + place * width).copyMemory(from: source + first * width, byteCount: width)
      }
    }
    for (index, place) in occurrences.places.enumerated() {
      if places.type == .int64 {
        places.values(Int64.self)[index] = Int64(place)
      } else {
        places.values(Int32.self)[index] = Int32(place)
      }
    }
  }
}

/// Where the different elements of a vector are.
private struct Occurrences {
  /// The index of the first of each kind.
  private(set) var firsts: [Int] = []
  /// For every element the number of its kind.
  private(set) var places: [Int] = []

  init(of tensor: TensorView) {
    if tensor.type == .float32 {
      // Zeros are alike whatever their sign.
      add(tensor.values(Float.self)) { $0 == 0 ? 0 : Int($0.bitPattern) }
    } else {
      add(tensor.integers) { $0 }
    }
  }

  private mutating func add<Values: Collection>(_ values: Values, _ key: (Values.Element) -> Int) {
    var kinds: [Int: Int] = [:]
    for (index, value) in values.enumerated() {
      let key = key(value)
      if let kind = kinds[key] {
        places.append(kind)
      } else {
        kinds[key] = firsts.count
        places.append(firsts.count)
        firsts.append(index)
      }
    }
  }
}
