import OcellusJSON
import OcellusPlatform

/// Hashes that tie a result to the model and to what it was shown, wherever and in whatever order it was
/// computed.
struct ResultReceipt {
  /// What stands in a line of results that is other in each run or place.
  private static let leftOut: Set = [
    "annotated", "command", "id", "image", "instruction_set", "milliseconds", "model",
    "model_sha256", "place", "program_version", "receipt", "schema_version",
  ]

  private let model: String
  private let input: String
  private let result: String

  /// `inputHash` is that of the file that the model was shown, `result` is what is said about it.
  init(modelHash: String, inputHash: String, result: JSONObject) {
    model = modelHash
    input = inputHash
    let lasting = result.members.filter { !Self.leftOut.contains($0.name) }
    self.result = SHA256.hash(Array(JSONValue.object(JSONObject(lasting)).text.utf8)).hexadecimal
  }

  /// What a result carries.
  var json: JSONValue {
    ["input_sha256": .string(input), "result_sha256": .string(result), "leaf": .string(leaf)]
  }

  /// One line each: what it is, model, input and result, in hexadecimal digits.
  private var leaf: String {
    SHA256.hash(Array("ocellus-result\n\(model)\n\(input)\n\(result)\n".utf8)).hexadecimal
  }
}
