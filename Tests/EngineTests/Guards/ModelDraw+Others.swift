import OcellusModelFile

extension ModelDraw {
  private static let quantized: [TensorType] = [.float32, .int8, .uint8, .int16]

  mutating func resizing() -> DrawnModel {
    let type = choice(Self.quantized)
    let shape = [number(1...2), number(1...6), size(1...40), size(1...70)]
    let extents = bool() ? [2 * shape[1], 2 * shape[2]] : [number(1...9), number(1...70)]
    let name = choice(["RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"])
    let isBilinear = name == "RESIZE_BILINEAR"
    return DrawnModel(
      name, "\(type), \(shape) to \(extents)",
      reading: [tensor("x", type, shape), integers(extents)], writing: tensor("y", type),
      options: .init(
        tag: isBilinear
          ? BuiltinOptionsTag.resizeBilinear : BuiltinOptionsTag.resizeNearestNeighbor,
        [isBilinear ? 3 : 1: .bool(bool())]))
  }

  /// Draws an operator that copies elements without computing with them.
  mutating func move() -> DrawnModel {
    let type = choice(Self.quantized + [.int32, .int64, .bool])
    let shape = (0..<number(2...4)).map { _ in size(1...40) }
    let rank = shape.count
    let x = tensor("x", type, shape), y = tensor("y", type)
    switch number(0...6) {
    case 0:
      var order = Array(0..<rank)
      order.shuffle(using: &random)
      return DrawnModel(
        "TRANSPOSE", "\(type), \(shape) in the order \(order)", reading: [x, integers(order)],
        writing: y)
    case 1:
      let padding = (0..<2 * rank).map { _ in number(0...3) }
      return DrawnModel(
        "PAD", "\(type), \(shape) by \(padding)",
        reading: [x, integers(padding, shape: [rank, 2])], writing: y)
    case 2:
      let axis = number(0...rank - 1)
      return DrawnModel(
        "CONCATENATION", "\(type), twice \(shape) along \(axis)",
        reading: [x, tensor("z", type, shape)], writing: y,
        options: .init(tag: BuiltinOptionsTag.concatenation, [0: .int32(Int32(axis))]))
    case 3:
      let starts = shape.map { number(0...$0 - 1) }
      let sizes = zip(shape, starts).map { number(1...$0 - $1) }
      return DrawnModel(
        "SLICE", "\(type), \(shape) from \(starts) of \(sizes)",
        reading: [x, integers(starts), integers(sizes)], writing: y)
    case 4:
      let rows = (0..<size(1...20)).map { _ in number(0...shape[0] - 1) }
      return DrawnModel(
        "GATHER", "\(type), \(shape) at \(rows)", reading: [x, integers(rows)], writing: y,
        options: .init(tag: BuiltinOptionsTag.gather))
    case 5:
      return DrawnModel(
        "REVERSE_V2", "\(type), \(shape)", reading: [x, integers([number(0...rank - 1)])],
        writing: y)
    default:
      let multiples = shape.map { _ in number(1...3) }
      return DrawnModel(
        "TILE", "\(type), \(shape) by \(multiples)", reading: [x, integers(multiples)], writing: y)
    }
  }

  mutating func elementwise() -> DrawnModel {
    let type = choice(Self.quantized + [.int32])
    let shape = (0..<number(1...4)).map { _ in size(1...30) }
    if bool() {
      let names = ["RELU", "RELU6", "LOGISTIC", "TANH", "HARD_SWISH", "LEAKY_RELU", "ABS"]
      let floats = names + ["EXP", "SQRT", "SQUARE", "NEG", "SIN", "LOG", "FLOOR", "ELU", "GELU"]
      let type = type == .int32 ? .float32 : type
      let name = choice(type == .float32 ? floats : names)
      // Some operators prescribe the scale of their results; with 8 bits, all of them are
      // supported.
      let limited = type == .float32 || type == .int8 ? type : .int8
      return DrawnModel(
        name, "\(limited), \(shape)", reading: [tensor("x", limited, shape)],
        writing: name == "LOGISTIC" || name == "TANH"
          ? fixedResult(name, limited) : tensor("y", limited))
    }
    let name = choice(["ADD", "SUB", "MUL", "MAXIMUM", "MINIMUM", "SQUARED_DIFFERENCE", "LESS"])
    var other = shape
    for axis in other.indices where number(0...2) == 0 { other[axis] = 1 }
    let isFirstSmall = bool()
    let typeOfPairs = name == "SQUARED_DIFFERENCE" && type != .int8 ? .float32 : type
    return DrawnModel(
      name, "\(typeOfPairs), \(shape) with \(other)\(isFirstSmall ? " first" : "")",
      reading: [
        tensor("a", typeOfPairs, isFirstSmall ? other : shape),
        tensor("b", typeOfPairs, isFirstSmall ? shape : other),
      ], writing: name == "LESS" ? Tensor("y", .bool, []) : tensor("y", typeOfPairs))
  }

  /// The result of LOGISTIC or TANH, whose 8-bit scale the operator prescribes.
  private func fixedResult(_ name: String, _ type: TensorType) -> Tensor {
    guard type == .int8 else { return tensor("y", type) }
    let isLogistic = name == "LOGISTIC"
    return Tensor(
      "y", type, [],
      quantization: .init(
        scales: [isLogistic ? 1 / 256 : 1 / 128], zeroPoints: [isLogistic ? -128 : 0]))
  }

  mutating func reduction() -> DrawnModel {
    let type = choice(Self.quantized)
    let shape = (0..<number(2...4)).map { _ in size(1...30) }
    let axis = number(0...shape.count - 1)
    if number(0...3) == 0 {
      let name = choice(["ARG_MAX", "ARG_MIN"])
      let type = type == .int16 ? .int8 : type
      return DrawnModel(
        name, "\(type), \(shape) along \(axis)",
        reading: [tensor("x", type, shape), integers([axis], shape: [])],
        writing: Tensor("y", .int32, []),
        options: .init(
          tag: name == "ARG_MAX" ? BuiltinOptionsTag.argMax : BuiltinOptionsTag.argMin,
          [0: .int32(2)]))
    }
    return DrawnModel(
      choice(["SUM", "MEAN", "REDUCE_MAX", "REDUCE_MIN"]), "\(type), \(shape) along \(axis)",
      reading: [tensor("x", type, shape), integers([axis])], writing: tensor("y", type),
      options: .init(tag: BuiltinOptionsTag.reducer, [0: .bool(bool())]))
  }

  mutating func softmax() -> DrawnModel {
    let type = choice([.float32, .int8, .uint8] as [TensorType])
    let shape = [size(1...40), size(1...200)]
    let isLogarithm = type == .float32 && bool()
    let result =
      type == .float32
      ? tensor("y", type)
      : Tensor(
        "y", type, [],
        quantization: .init(scales: [1 / 256], zeroPoints: [type == .int8 ? -128 : 0]))
    return DrawnModel(
      isLogarithm ? "LOG_SOFTMAX" : "SOFTMAX", "\(type), \(shape)",
      reading: [tensor("x", type, shape)], writing: result,
      options: isLogarithm ? nil : .init(tag: BuiltinOptionsTag.softmax, [0: .float(1)]))
  }
}
