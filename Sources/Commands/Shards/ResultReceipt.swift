import OcellusJSON
import OcellusPlatform

/// Hashes that bind a result to its model and input, wherever and whenever it is computed.
struct ResultReceipt {
  /// The members of a result that vary from run to run or from place to place.
  private static let leftOut: Set = [
    "annotated", "command", "id", "image", "instruction_set", "milliseconds", "model",
    "model_sha256", "model_warnings", "options", "place", "program_version", "receipt", "request",
    "schema_version",
  ]

  private let model: String
  private let input: String
  private let result: String

  /// Creates a receipt; `inputHash` is the hash of the input file, and `result` the answer about
  /// it.
  init(modelHash: String, inputHash: String, result: JSONObject) {
    model = modelHash
    input = inputHash
    let lasting = result.members.filter { !Self.leftOut.contains($0.name) }
    self.result = SHA256.hash(Array(JSONValue.object(JSONObject(lasting)).text.utf8)).hexadecimal
  }

  /// The receipt as a member of a result.
  var json: JSONValue {
    ["input_sha256": .string(input), "result_sha256": .string(result), "leaf": .string(leaf)]
  }

  /// The hash of four lines: a label, and the hashes of model, input and result in hexadecimal.
  private var leaf: String {
    SHA256.hash(Array("ocellus-result\n\(model)\n\(input)\n\(result)\n".utf8)).hexadecimal
  }
}
