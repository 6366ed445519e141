import OcellusEngine
import OcellusJSON
import OcellusPlatform

/// A node that was extracted to files, and whether these reproduce its results.
struct NodeExtract {
  let title: String
  let operatorName: String
  /// The path of the model; `nil` if the node cannot be extracted.
  let path: String?
  /// The SHA-256 of all results.
  let digest: String?
  /// The reason why there are no files, or the error that they cause.
  let problem: String?
  /// Whether the node cannot be extracted.
  let isRefused: Bool

  init(
    _ node: CapturedNode, of model: Model, source: String, _ options: Interpreter.Options,
    to folder: String, _ claims: inout OutputClaims, _ context: CommandContext
  ) throws {
    (title, operatorName) = (node.title, node.operatorName)
    let single: SingleNode
    do { single = try SingleNode(node, of: model) } catch let error as SingleNode.Refusal {
      (path, digest, problem, isRefused) = (nil, nil, error.description, true)
      return
    }
    let number = node.subgraph == 0 ? "\(node.index)" : "\(node.subgraph).\(node.index)"
    let name = node.operatorName.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    let base = "\(folder)/\(number)-\(String(name.prefix(Self.longestName)))"
    let files = single.caseFiles(source: source)
    for (ending, bytes) in [
      ("tflite", single.file), ("bin", files.values), ("json", files.description),
    ] {
      try claims.claim("\(base).\(ending)", for: "--output")
      try context.write(bytes, to: "\(base).\(ending)")
    }
    path = "\(base).tflite"
    var hash = SHA256()
    for result in node.results { hash.update(result.bytes ?? []) }
    digest = hash.finalized().hexadecimal
    isRefused = false
    do { problem = try single.difference(options) } catch let error as ModelError {
      problem = error.message
    }
  }

  private static let longestName = 100

  static func text(_ extracts: [NodeExtract]) -> String {
    var table = TextTable([.left("node"), .left(""), .left("results"), .left("file")])
    for extract in extracts {
      let verdict = extract.problem ?? "the same bits"
      table.add([
        extract.title, verdict, extract.digest.map { String($0.prefix(16)) } ?? "",
        extract.path ?? "",
      ])
    }
    return table.text()
  }

  var json: JSONValue {
    [
      "node": .string(title), "operator": .string(operatorName), "file": .string(orNull: path),
      "results_sha256": .string(orNull: digest), "is_reproduced": .bool(problem == nil),
      "problem": .string(orNull: problem),
    ]
  }
}
