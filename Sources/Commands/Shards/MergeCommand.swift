import OcellusAudit
import OcellusJSON
import OcellusPlatform

/// `ocellus merge`: merges the results of many runs under one root.
struct MergeCommand: Command {
  private static let output = Option<String?>.text(
    "output", letter: "o", "FILE", accepts: .newFile,
    help: "Write all results to FILE, a line each, without the times that they took.")
  private static let prove = Option<String?>.text(
    "prove", "ID",
    help: "The id, number of the request, place or picture of one result that is to be proved.")
  private static let proof = Option<String?>.text(
    "proof", "FILE", accepts: .newFile,
    help: "Write a proof that this result belongs to the root.")
  private static let json = Option.flag("json", help: "Print one JSON object instead of text.")

  static let definition = CommandDefinition(
    name: "merge", summary: "Bring results of shards and workers together, with one root for all.",
    operand: OperandDefinition(
      "RESULTS", count: 1...Int.max,
      help: "files of results, a line of JSON each, or folders that --resume filled"),
    options: [
      output.definition, prove.definition, proof.definition, OutputClaims.force.definition,
      json.definition,
    ],
    discussion: """
      Shards must all be there, complete, and of the same options; their results come in the order of the list. The root is \
      that of a Merkle tree (RFC 6962) over the receipts in the results, sorted, so that it is the same \
      however the work was shared out; results without a receipt, such as errors, have no part in it. \
      'ocellus receipt check PROOF ROOT' checks a proof.
      """,
    examples: [
      .init(arguments: "results/ -o all.jsonl", purpose: "All shards in one file."),
      .init(
        arguments: "results/ --prove photo.jpg --proof proof.json",
        purpose: "What one result needs to be checked by others."),
    ])

  private let operands: [String]
  private let outputPath: String?
  private let provedName: String?
  private let proofPath: String?
  private let isForced: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    operands = arguments.operands
    outputPath = try arguments[Self.output]
    provedName = try arguments[Self.prove]
    proofPath = try arguments[Self.proof]
    isForced = try arguments[OutputClaims.force]
    isJSON = try arguments[Self.json]
    guard (provedName == nil) == (proofPath == nil) else {
      throw UsageError("--prove names the result, and --proof the output file: give both")
    }
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let lists = try operands.map { try ResultList(path: $0) }
    var claims = OutputClaims(reading: lists.flatMap(\.paths), isForced: isForced)
    if let outputPath { try claims.claim(outputPath, for: "--output") }
    if let proofPath { try claims.claim(proofPath, for: "--proof") }
    let context = context.reporting(beside: claims)
    let output = try outputPath.map {
      FileOutput($0 == "-" ? .standardOutput : try OpenFile(writing: $0))
    }
    var merged = MergedResults()
    for list in lists {
      try list.forEach { record in
        let line = try merged.add(record, isProved: provedName.map(record.isCalled) ?? false)
        try output?.write(line)
      }
    }
    try output?.close()
    if let proofPath, let provedName {
      guard let proof = merged.proof else {
        throw RunError("no result with a receipt is called '\(provedName)'")
      }
      try context.write(Array((proof.text + "\n").utf8), to: proofPath)
    }
    if isJSON {
      try context.print(merged.json)
    } else {
      try context.print(
        "\(merged.count) results, \(merged.failedCount) of them errors; root \(merged.root)")
    }
    return .success
  }
}

/// The collected properties of many results.
private struct MergedResults {
  private(set) var count = 0
  private(set) var failedCount = 0
  private var model: String?
  private var options: ShardOptions?
  private var leaves: [[UInt8]] = []
  private var proved: (record: JSONObject, leaf: [UInt8])?

  /// Adds a result.
  ///
  /// - Returns: the line of the merged file that holds the result.
  mutating func add(_ record: ResultRecord, isProved: Bool) throws -> String {
    count += 1
    if record.object["error"] != nil { failedCount += 1 }
    let hash = record.object["model_sha256"]?.string
    guard model == nil || model == hash else {
      throw RunError("\(record.origin) is of another model than the results before")
    }
    model = hash
    if let words = record.object["options"]?.array?.compactMap(\.string) {
      let own = ShardOptions(recorded: words)
      if let difference = options.flatMap({ own.difference(from: $0) }) {
        throw RunError(
          "\(record.origin) was made \(difference.own), and results before it \(difference.other)")
      }
      options = own
    }
    if let leaf = try record.leaf() {
      leaves.append(leaf)
      if isProved, proved == nil { proved = (record.object, leaf) }
    }
    let lasting = record.object.members.filter { $0.name != "milliseconds" }
    return JSONValue.object(JSONObject(lasting)).text + "\n"
  }

  private var sorted: [[UInt8]] { leaves.sorted { $0.lexicographicallyPrecedes($1) } }

  var root: String { MerkleTree.root(of: sorted).hexadecimal }

  var json: JSONValue {
    [
      "model_sha256": .string(orNull: model), "results": .integer(count),
      "errors": .integer(failedCount), "receipts": .integer(leaves.count), "root": .string(root),
    ]
  }

  /// The proof that the chosen result belongs to the root.
  var proof: JSONValue? {
    guard let proved else { return nil }
    let sorted = sorted
    guard let index = sorted.firstIndex(of: proved.leaf) else { return nil }
    return ResultProof(
      record: proved.record, index: index, count: sorted.count,
      path: MerkleTree.path(to: index, among: sorted)
    ).json
  }
}
