import OcellusModelFile

/// LSH_PROJECTION: bits that are equal for similar inputs (locality-sensitive hashing).
///
/// Each bit is the sign of a weighted sum of hashes of the input's items, which include the bit's
/// seed.
package struct LSHProjection: Operator {
  package static let definition = OperatorDefinition(
    "LSH_PROJECTION", types: [.float32], make: { node throws(ModelError) in try Self(node) })

  /// Whether each bit is a separate result instead of a bit in one integer per hash function.
  private let isDense: Bool

  private enum Kind: Int {
    case sparse = 1
    case dense = 2
  }

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2...3)
    let kind = try node.options(BuiltinOptionsTag.lshProjection).choice(
      0, of: Kind.self, named: "type")
    isDense = kind == .dense
    try node.require(try node.output(0), .int32)
    _ = (try node.input(0), try node.input(1))
    if let weights = node.optionalInput(2) { try node.require(weights, .float32) }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (seeds, items) = (context.shape(0), context.shape(1))
    try context.require(seeds.rank == 2 && seeds[1] <= 32, "the hash functions have no such shape")
    try context.require(
      items.rank >= 1 && items.elementCount >= 1, "there is no item to hash, or nothing in it")
    if let weights = context.optionalShape(2) {
      try context.require(weights == [items[0]], "there must be a weight for every item")
    }
    return [isDense ? [seeds.elementCount] : [seeds[0]]]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    // Hashing a short item takes as long as about a hundred multiply-adds.
    saturatingProduct(
      context.shape(0).elementCount, context.shape(1)[0] * 100 + context.shape(1).elementCount)
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let items = context.input(1)
    let weights = context.optionalInput(2)?.values(Float.self)
    let itemByteCount = items.bytes.count / items.shape[0]
    try context.withScratch(UInt8.self, count: 4 + itemByteCount) { key throws(ModelError) in
      let hasher = ItemHasher(
        items: items, weights: weights, itemByteCount: itemByteCount,
        key: UnsafeMutableRawBufferPointer(key))
      try project(context, hasher)
    }
  }

  private func project(_ context: RunContext, _ hasher: ItemHasher) throws(ModelError) {
    let (seeds, output) = (context.input(0), context.output(0))
    let (bitCount, results) = (seeds.shape[1], output.values(Int32.self))
    for function in 0..<seeds.shape[0] {
      try context.checkpoint()
      var signature: Int32 = 0
      for bit in 0..<bitCount {
        try context.checkpoint()
        let index = function * bitCount + bit
        let isSet = hasher.sum(seed: seeds.values(Float.self)[index]) > 0
        if isDense { results[index] = isSet ? 1 : 0 }
        signature = signature << 1 | (isSet ? 1 : 0)
      }
      if !isDense {
        results[function] = signature &+ Int32(truncatingIfNeeded: function) &<< Int32(bitCount)
      }
    }
  }
}

/// A hash function of the items of an input, each prefixed with a seed.
private struct ItemHasher {
  let items: TensorView
  let weights: UnsafeMutableBufferPointer<Float>?
  let itemByteCount: Int
  /// Scratch memory for the seed and one item.
  let key: UnsafeMutableRawBufferPointer

  func sum(seed: Float) -> Double {
    var sum = 0.0
    key.storeBytes(of: seed.bitPattern.littleEndian, as: UInt32.self)
    guard let source = items.bytes.baseAddress, let base = key.baseAddress else { return 0 }
    for chunk in items.chunks(of: items.shape[0], workOfEach: 16 + itemByteCount / 4) {
      for item in chunk {
        (base + 4).copyMemory(
          from: source + item * itemByteCount, byteCount: itemByteCount,
          unless: items.control?.isOver == true)
        let hash = Fingerprint64(UnsafeRawBufferPointer(key), items.control).value
        sum += Double(weights?[item] ?? 1) * Double(Int64(bitPattern: hash))
      }
    }
    return sum
  }
}
