import OcellusAudit
import OcellusEngine
import OcellusModelFile

/// Compares a softmax of bytes with plain arithmetic, for every sum of a row and every exponential
/// that such a row can have.
///
/// The sums are made in a probe: a softmax of the same scale, with rows that are longer, so that
/// there are elements left to fill a row up to any sum.
struct SoftmaxSweep {
  private let plain: PlainSoftmax
  private let tensor: QuantizedTensor
  private let beta: Float
  private let rowLength: Int
  private let engine: any NodeEngine
  /// The number of differences with other exponentials than zero, the greatest element's included.
  private let differenceCount: Int
  /// The sums of the summands before each difference.
  private let sumsBefore: [Int]
  private let fillers: Fillers
  /// The number of rows of a probe, and of their elements.
  private let probeSize: (rows: Int, columns: Int)

  init(
    _ node: OperatorRecord, in subgraph: SubgraphRecord, shape: Shape, engine: any NodeEngine
  ) throws(WeightedNode.Refusal) {
    tensor = try QuantizedTensor(subgraph.tensors[node.inputs[0]])
    guard subgraph.tensors[node.outputs[0]].type == subgraph.tensors[node.inputs[0]].type else {
      throw WeightedNode.Refusal(reason: "its results have another type than its operand")
    }
    beta = OptionFields(node).float("beta")
    guard let plain = PlainSoftmax(scale: tensor.scales[0], beta: beta) else {
      throw WeightedNode.Refusal(reason: "its scale is unusual")
    }
    self.plain = plain
    self.engine = engine
    rowLength = shape[-1]
    // Kernels may compute many short rows at once, and others one by one.
    probeSize =
      shape.elementCount / rowLength < 16 ? (15, rowLength + 52) : (1 << 12, rowLength + 12)
    differenceCount = plain.exponentials.firstIndex(of: 0) ?? 256
    sumsBefore = plain.summands.reduce(into: [0]) { $0.append($0[$0.count - 1] + Int($1)) }
    let isDescending = zip(plain.summands, plain.summands.dropFirst()).allSatisfy { $0 >= $1 }
    guard isDescending, plain.summands.contains(1), plain.summands[255] == 0,
      plain.summands[0] == 1 << 19
    else { throw WeightedNode.Refusal(reason: "its exponentials do not add up to every sum") }
    fillers = Fillers(plain.summands)
    guard pairCount <= ValueSweep.mostElements else {
      throw WeightedNode.Refusal(
        reason: "rows of \(rowLength) have \(facts.sumCount) sums, which are too many to try")
    }
  }

  private var sums: ClosedRange<Int64> {
    plain.summands[0]...Int64(rowLength) * plain.summands[0]
  }

  /// An upper bound of the pairs of a sum and an exponential.
  private var pairCount: Int { facts.sumCount.multipliedReportingOverflow(by: 256).partialValue }

  var facts: SumFacts {
    SumFacts(
      channelCount: 1, sumCount: Int(sums.upperBound - sums.lowerBound + 1), range: sums,
      words: [sums.lowerBound, sums.upperBound] + plain.exponentials)
  }

  // MARK: The sweep

  /// - Returns: the number of results that were compared.
  func run(progress: (_ share: Double) -> Void) throws -> Int {
    let session = try engine.session(of: probe, NodeSettings())
    var rows = ProbeRows(probeSize.rows, probeSize.columns, isSigned: tensor.isSigned)
    var comparisonCount = 0
    for sum in sums {
      rows.expect(plain.results(ofSum: sum))
      let rest = Int(sum - plain.summands[0])
      var next = plain.summands.dropFirst().firstIndex { $0 <= rest } ?? differenceCount
      repeat {
        if rows.isFull {
          comparisonCount += try compare(&rows, in: session)
          progress(Double(sum - sums.lowerBound) / Double(sums.count))
        }
        let first = next
        next = addRow(&rows, rest, from: first)
        guard next > first || first >= differenceCount else {
          throw WeightedNode.Refusal(reason: "its exponentials do not add up to the sum \(sum)")
        }
      } while next < differenceCount
    }
    return comparisonCount + (try compare(&rows, in: session))
  }

  /// Adds a row with the greatest element, as many differences from `first` on as there is room for,
  /// and what is missing to the sum.
  ///
  /// - Returns: the first difference that the row does not have.
  private func addRow(_ rows: inout ProbeRows, _ rest: Int, from first: Int) -> Int {
    let room = probeSize.columns - 1
    func missing(_ end: Int) -> Int { rest - sumsBefore[end] + sumsBefore[first] }
    var end = first
    while end < differenceCount, end - first < room, missing(end + 1) >= 0 { end += 1 }
    while end > first, end - first + fillers.count(upTo: missing(end)) > room { end -= 1 }
    rows.startRow()
    for difference in first..<end { rows.append(difference) }
    var rest = missing(end)
    while rest > 0, rows.room > 0 {
      let filler = fillers.greatest(upTo: rest)
      rows.append(filler)
      rest -= Int(plain.summands[filler])
    }
    rows.endRow()
    return end
  }

  /// Computes the rows, and removes them.
  private func compare(_ rows: inout ProbeRows, in session: any NodeSession) throws -> Int {
    defer { rows.removeAll() }
    let input = StoredTensor(
      type: tensor.isSigned ? .int8 : .uint8, shape: Shape([probeSize.rows, probeSize.columns]),
      bytes: rows.bytes)
    let found = try session.results(of: [input])[0].bytes
    let count = rows.count * probeSize.columns
    if rows.isFull, found == rows.results { return count }
    if let index = (0..<count).first(where: { found[$0] != rows.results[$0] }) {
      throw KernelFault(
        "element \(index % probeSize.columns) of a row with the sum "
          + "\(sum(ofRow: index / probeSize.columns, rows)) becomes \(found[index]), and not "
          + "\(rows.results[index])")
    }
    return count
  }

  private func sum(ofRow row: Int, _ rows: ProbeRows) -> Int64 {
    let start = row * probeSize.columns
    return (start..<start + probeSize.columns).reduce(0) {
      $0 + plain.summands[rows.difference(at: $1)]
    }
  }

  private var probe: [UInt8] {
    let type: TensorType = tensor.isSigned ? .int8 : .uint8
    let shape = [probeSize.rows, probeSize.columns]
    let result = QuantizationRecord(scales: [1 / 256], zeroPoints: [tensor.isSigned ? -128 : 0])
    let operand = QuantizationRecord(scales: tensor.scales, zeroPoints: [Int(tensor.zeroPoint)])
    return ModelWriter(subgraphs: [
      .init(
        tensors: [
          .init("input", type, shape, quantization: operand),
          .init("result", type, shape, quantization: result),
        ], inputs: [0], outputs: [1],
        operators: [
          .init(
            OperatorCodeRecord(
              builtinCode: BuiltinOperator.code(named: "SOFTMAX") ?? 0, version: 2),
            inputs: [0], outputs: [1],
            options: .init(tag: BuiltinOptionsTag.softmax, [0: .float(beta)]))
        ])
    ]).bytes()
  }
}

/// How a rest is made of summands: always of the greatest that still fits.
private struct Fillers {
  /// The difference with the greatest summand up to the index.
  private var differences: [UInt8]
  /// The number of summands that the index is made of.
  private var counts: [UInt8]
  private let greatestSummand: Int

  /// Makes a table of descending summands.
  init(_ summands: [Int64]) {
    greatestSummand = Int(summands[0])
    differences = [UInt8](repeating: 0, count: greatestSummand + 1)
    counts = differences
    var end = differences.count
    for (difference, summand) in summands.enumerated() where summand > 0 {
      let start = Int(summand)
      guard start < end else { continue }
      for rest in start..<end { differences[rest] = UInt8(difference) }
      end = start
    }
    for rest in differences.indices.dropFirst() {
      counts[rest] = 1 + counts[rest - Int(summands[Int(differences[rest])])]
    }
  }

  func greatest(upTo rest: Int) -> Int { Int(differences[min(rest, greatestSummand)]) }

  func count(upTo rest: Int) -> Int {
    rest / greatestSummand + Int(counts[rest % greatestSummand])
  }
}

/// Rows of bytes with given differences from the greatest one, and the results that they should have.
private struct ProbeRows {
  private let capacity: Int
  private let length: Int
  private let signBit: UInt8
  private(set) var bytes: [UInt8]
  private(set) var results: [UInt8]
  private(set) var count = 0
  private var next = 0
  /// The byte of each difference, and its result in the rows that are being added.
  private let byteOfDifference: [UInt8]
  private var resultOfDifference: [UInt8] = []

  init(_ capacity: Int, _ length: Int, isSigned: Bool) {
    (self.capacity, self.length) = (capacity, length)
    let signBit: UInt8 = isSigned ? 0x80 : 0
    self.signBit = signBit
    byteOfDifference = (0...255).reversed().map { UInt8($0) ^ signBit }
    bytes = Array(repeating: 0, count: capacity * length)
    results = bytes
  }

  var isFull: Bool { count == capacity }
  /// The number of elements that fit the row that was started.
  var room: Int { (count + 1) * length - next }

  func difference(at index: Int) -> Int { 255 - Int(bytes[index] ^ signBit) }

  mutating func removeAll() { (count, next) = (0, 0) }

  /// Takes the results of all differences, over the least one.
  mutating func expect(_ results: [UInt8]) { resultOfDifference = results.map { $0 ^ signBit } }

  mutating func startRow() {
    next = count * length
    append(0)
  }

  mutating func append(_ difference: Int) {
    bytes[next] = byteOfDifference[difference]
    results[next] = resultOfDifference[difference]
    next += 1
  }

  /// Fills the row with elements of the greatest difference, which add nothing.
  mutating func endRow() {
    while room > 0 { append(255) }
    count += 1
  }
}
