import OcellusModelFile
import OcellusPlatform

/// Makes mutants of a model by changing numbers in its tables.
///
/// Each number in the schema is set to extreme values, even if the file omits it, and lists are
/// emptied, shortened and lengthened. This also happens in variants of the model with features that
/// it lacks: details of quantization, sparsity, buffers at other offsets, signatures. Mutant
/// `number` is always the same for a model and a seed.
package struct NumberMutator {
  /// The maximum number of changes; large models would have too many to try.
  private static let maximumChanges = 1 << 20
  /// The number of elements at the start of a list that are changed, besides the last one.
  private static let firstElements = 3
  /// The number of words at the start of a constant that are changed.
  private static let firstWords = 6

  private let model: FlatFields
  /// The variants that have numbers to change, up to the maximum number of changes.
  private var variants: [ModelVariant] = []
  private var changes: [NumberChange] = []
  private let seed: UInt64

  /// Returns `nil` if the file is not a model; `fileName` is for variants with external constants.
  package init?(original bytes: [UInt8], seed: UInt64, fileName: String) {
    guard let fields = try? TableSchema.fields(ofModel: bytes) else { return nil }
    model = fields
    self.seed = seed
    for variant in ModelVariant.all(of: fields, fileName: fileName) {
      guard changes.count < Self.maximumChanges else { break }
      guard let table = variant.fields(of: model)[variant.path] else { continue }
      variants.append(variant)
      addChanges(
        of: table, variant.schema, at: variant.path, variant: variants.count - 1)
    }
  }

  /// The number of single changes; mutants with higher numbers have several changes.
  package var count: Int { changes.count }

  /// Returns the bytes of a mutant.
  package func bytes(ofMutant number: Int) -> [UInt8] {
    let made = changesMade(in: number)
    var fields = made.first.map { variants[$0.variant].fields(of: model) } ?? model
    for change in made { change.apply(to: &fields) }
    return FlatBufferBuilder.file(identifier: ModelFile.identifier, root: fields)
  }

  /// Describes the changes of a mutant.
  package func change(ofMutant number: Int) -> String {
    let made = changesMade(in: number)
    let variant = made.first.map { variants[$0.variant].name } ?? ""
    let text = made.isEmpty ? "nothing" : made.map(\.description).joined(separator: ", ")
    return variant.isEmpty ? text : "\(text) (\(variant))"
  }

  private func changesMade(in number: Int) -> [NumberChange] {
    if changes.isEmpty { return [] }
    guard number >= count else {
      return [changes[Self.changeIndex(of: number, among: count, seed)]]
    }
    var random = SplitMix64(seed: seed &* 0xA24B_AED4_963E_E407 &+ UInt64(number))
    let first = Int.random(in: 0..<count, using: &random)
    // Neighbouring changes concern related numbers, so combine those.
    let others = (0...min((random.next() | 1 << 2).trailingZeroBitCount, 2)).map { _ in
      changes[min(max(first + Int.random(in: -200...200, using: &random), 0), count - 1)]
    }
    return [changes[first]] + others.filter { $0.variant == changes[first].variant }
  }

  /// Returns the index of a change so that all are visited once, the first ones spread evenly.
  private static func changeIndex(of number: Int, among count: Int, _ seed: UInt64) -> Int {
    let start = number + Int(seed % UInt64(count))
    let product = (start % count).multipliedFullWidth(by: Mutator.coprime(to: count))
    return count.dividingFullWidth(product).remainder
  }
}

/// The enumeration of all changes.
extension NumberMutator {
  private mutating func addChanges(
    of table: FlatFields, _ schema: TableSchema, at path: FlatPath, variant: Int
  ) {
    for field in schema.fields {
      guard changes.count < Self.maximumChanges else { return }
      let value = table[field.position]
      func add(_ kind: NumberChange.Kind) {
        changes.append(NumberChange(variant: variant, path: path, field: field, kind: kind))
      }
      if value != nil { add(.absent) }
      switch field.content {
      case .value(let kind): Self.changes(of: value, kind).forEach(add)
      case .flexBuffer:
        Self.changes(of: value, .bytes).forEach(add)
        for key in 0..<(value?.flexMap?.count ?? 0) {
          for number in BoundaryValues.flexValues.indices {
            add(.flexValue(key: key, number: number))
          }
        }
      case .table:
        if value == nil { add(.member(0)) }
      case .tables: Self.counts(of: value).forEach(add)
      case .union(_, let members): for tag in members.keys.sorted() { add(.member(tag)) }
      }
      addChangesInside(value, field, of: table, at: path, variant: variant)
    }
  }

  private mutating func addChangesInside(
    _ value: FlatValue?, _ field: TableSchema.Field, of table: FlatFields, at path: FlatPath,
    variant: Int
  ) {
    switch value {
    case .table(let inner):
      guard let schema = field.table(tag: table.tag(of: field)) else { return }
      addChanges(of: inner, schema, at: path.appending(field), variant: variant)
    case .tables(let list):
      guard let schema = field.table() else { return }
      for (element, inner) in list.enumerated() {
        addChanges(
          of: inner, schema, at: path.appending(field, element: element), variant: variant)
      }
    default: return
    }
  }

  private static func changes(of value: FlatValue?, _ kind: FlatKind) -> [NumberChange.Kind] {
    let numbers = BoundaryValues.values(of: kind).indices
    guard FlatValue(emptyListOf: kind) != nil else { return numbers.map { .number($0) } }
    let count = value?.elementCount ?? 0
    if case .bytes = kind {
      let words = min(count / 4, firstWords)
      return counts(of: value)
        + (0..<words).flatMap { word in
          BoundaryValues.words.indices.map { .word(word, number: $0) }
        }
    }
    var positions = Array(0..<min(max(count, 1), firstElements))
    if count > firstElements { positions.append(count - 1) }
    return counts(of: value)
      + positions.flatMap { position in
        numbers.map { .element(position, number: $0) }
      }
  }

  /// Returns lists that are empty, shorter by one and longer by one.
  private static func counts(of value: FlatValue?) -> [NumberChange.Kind] {
    let count = value?.elementCount ?? 0
    var counts = [0, count - 1, count + 1]
    if value != nil, count == 0 { counts.removeFirst() }
    return Set(counts).filter { $0 >= 0 }.sorted().map { .count($0) }
  }
}

extension FlatFields {
  /// Returns the tag of a union field, which tells the type of its table.
  fileprivate func tag(of field: TableSchema.Field) -> Int {
    guard case .union(let tag, _) = field.content, case .uint8(let member) = self[tag] else {
      return 0
    }
    return Int(member)
  }
}
