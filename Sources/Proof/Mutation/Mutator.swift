import OcellusPlatform

/// Makes mutants of a model by changing bytes; `number` and seed determine each mutant.
package struct Mutator {
  /// Every eighth mutant is a prefix of the model, until every length has occurred.
  private static let prefixInterval = 8

  private let original: [UInt8]
  private let seed: UInt64
  private let map: FlatBufferMap
  /// The step between prefix lengths, chosen so that even a few are spread over the whole file.
  private let prefixStep: Int

  package init(original: [UInt8], seed: UInt64) {
    self.original = original
    self.seed = seed
    map = FlatBufferMap(of: original)
    prefixStep = Self.coprime(to: original.count + 1)
  }

  /// Returns the changes of a mutant.
  package func mutant(_ number: Int) -> Mutant {
    let prefixNumber = number / Self.prefixInterval
    if number.isMultiple(of: Self.prefixInterval), prefixNumber <= original.count {
      let length = prefixNumber.multipliedFullWidth(by: prefixStep)
      let remainder = (original.count + 1).dividingFullWidth(length).remainder
      return Mutant(length: remainder)
    }
    var random = SplitMix64(seed: seed &* 0xD134_2543_DE82_EF95 &+ UInt64(number))
    var mutant = Mutant()
    // Half of the mutants have one change, a quarter have two, and so on.
    let count = 1 + min((random.next() | 1 << 7).trailingZeroBitCount, 7)
    for _ in 0..<count {
      if let edit = edit(with: &random) { mutant.edits.append(edit) }
    }
    return mutant
  }

  /// Returns a step coprime to `count`: it visits every index once, the first ones spread evenly.
  static func coprime(to count: Int) -> Int {
    func divisor(_ first: Int, _ second: Int) -> Int {
      second == 0 ? first : divisor(second, first % second)
    }
    // The golden ratio leaves the most even gaps.
    var step = max(1, Int(Double(count) * 0.618_033_988_75))
    while divisor(step, count) != 1 { step += 1 }
    return step
  }
}

extension Mutator {
  /// Returns one change, or `nil` if the file has no position for the chosen kind.
  private func edit(with random: inout SplitMix64) -> Mutant.Edit? {
    switch Int.random(in: 0..<16, using: &random) {
    case 0: flippedBit(&random)
    case 1: overwrittenByte(&random)
    case 2: overwrittenWord(&random)
    case 3: copiedBlock(&random)
    case 4, 5: splicedOffset(&random)
    case 6, 7: changedCount(&random)
    case 8, 9: changedVTable(&random)
    default: changedScalar(&random)
    }
  }

  private func flippedBit(_ random: inout SplitMix64) -> Mutant.Edit? {
    guard let position = original.indices.randomElement(using: &random) else { return nil }
    let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
    return .init(position: position, bytes: [original[position] ^ bit], purpose: "flipped bit")
  }

  private func overwrittenByte(_ random: inout SplitMix64) -> Mutant.Edit? {
    guard let position = original.indices.randomElement(using: &random) else { return nil }
    let byte = telling(size: 1, near: Int(original[position]), &random)
    return .init(position: position, bytes: byte, purpose: "byte")
  }

  private func overwrittenWord(_ random: inout SplitMix64) -> Mutant.Edit? {
    guard original.count >= 4 else { return nil }
    let position = Int.random(in: 0..<original.count / 4, using: &random) * 4
    let word = telling(size: 4, near: value(at: position, size: 4), &random)
    return .init(position: position, bytes: word, purpose: "word")
  }

  private func copiedBlock(_ random: inout SplitMix64) -> Mutant.Edit? {
    guard !original.isEmpty else { return nil }
    let size = Int.random(in: 1...min(64, original.count), using: &random)
    let starts = 0...original.count - size
    let source = Int.random(in: starts, using: &random)
    return .init(
      position: Int.random(in: starts, using: &random),
      bytes: Array(original[source..<source + size]), purpose: "block from byte \(source)")
  }

  /// Changes an offset to point to another table or vector, or anywhere.
  private func splicedOffset(_ random: inout SplitMix64) -> Mutant.Edit? {
    guard let position = map.offsets.randomElement(using: &random) else { return nil }
    let goals = Bool.random(using: &random) ? map.tables : map.counts
    let goal = goals.randomElement(using: &random)
    if let goal, goal > position, Bool.random(using: &random) {
      return .init(position: position, bytes: bytes(goal - position, size: 4), purpose: "offset")
    }
    let changed = telling(size: 4, near: value(at: position, size: 4), &random)
    return .init(position: position, bytes: changed, purpose: "offset")
  }

  private func changedCount(_ random: inout SplitMix64) -> Mutant.Edit? {
    guard let position = map.counts.randomElement(using: &random) else { return nil }
    let count = telling(size: 4, near: value(at: position, size: 4), &random)
    return .init(position: position, bytes: count, purpose: "count")
  }

  /// Removes, adds or exchanges fields by changing a vtable entry.
  private func changedVTable(_ random: inout SplitMix64) -> Mutant.Edit? {
    guard let position = map.vtableEntries.randomElement(using: &random) else { return nil }
    let entry: [UInt8]
    switch Int.random(in: 0..<4, using: &random) {
    case 0: entry = [0, 0]
    case 1: entry = [UInt8.random(in: 1...16, using: &random) * 4, 0]
    case 2: entry = telling(size: 2, near: value(at: position, size: 2), &random)
    default:
      entry =
        map.vtableEntries.randomElement(using: &random).map { bytes(at: $0, size: 2) } ?? [0, 0]
    }
    return .init(position: position, bytes: entry, purpose: "vtable entry")
  }

  private func changedScalar(_ random: inout SplitMix64) -> Mutant.Edit? {
    guard let field = map.scalars.randomElement(using: &random) else { return nil }
    // A gap of eight bytes usually holds two numbers of four.
    let size = field.size == 8 && Bool.random(using: &random) ? 4 : field.size
    let scalar = telling(size: size, near: value(at: field.position, size: size), &random)
    return .init(position: field.position, bytes: scalar, purpose: "field")
  }
}

extension Mutator {
  /// Returns a number that is likely to expose errors: an extreme, a neighbour, or a random one.
  private func telling(size: Int, near value: Int, _ random: inout SplitMix64) -> [UInt8] {
    let highest = size == 8 ? Int.max : 1 << (8 * size - 1) - 1
    let number =
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1: 0
      case 2, 3: -1
      case 4: highest
      case 5: ~highest
      case 6: value &+ 1
      case 7: value &- 1
      case 8: 0 &- value
      case 9: size >= 4 ? floatExtreme(&random) : 1
      case 10: Int.random(in: 0...255, using: &random)
      default: Int(truncatingIfNeeded: random.next())
      }
    return bytes(number, size: size)
  }

  /// Returns the bits of a float32 that is likely to expose errors in arithmetic.
  private func floatExtreme(_ random: inout SplitMix64) -> Int {
    let extremes: [Float] = [
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e-30, 1e30, 1,
    ]
    return Int(extremes.randomElement(using: &random)?.bitPattern ?? 0)
  }

  private func bytes(_ number: Int, size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private func bytes(at position: Int, size: Int) -> [UInt8] {
    Array(original[position..<position + size])
  }

  private func value(at position: Int, size: Int) -> Int {
    bytes(at: position, size: size).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
