import OcellusEngine
import OcellusJSON
import OcellusModelFile
import OcellusProof

/// What a reduction has left.
struct ReductionReport {
  let path: String
  let before: ModelWriter
  let byteCountBefore: Int
  let reducer: Reducer
  let code: Int32

  private var after: ModelWriter { reducer.model }

  var text: String {
    let end = reducer.isOutOfTime ? "time is up; " : ""
    return """
      \(end)\(Self.nodeCount(before)) nodes and \(byteCountBefore) bytes became \
      \(Self.nodeCount(after)) and \(after.bytes().count), in \(reducer.trialCount) trials
      left: \(operators.joined(separator: ", "))
      the command still ends with \(code) on \(path)

      """
  }

  var json: JSONValue {
    [
      "output": .string(path), "exit_code": .integer(Int(code)),
      "nodes_before": .integer(Self.nodeCount(before)),
      "nodes_after": .integer(Self.nodeCount(after)),
      "bytes_before": .integer(byteCountBefore), "bytes_after": .integer(after.bytes().count),
      "operators": .strings(operators), "trials": .integer(reducer.trialCount),
      "is_out_of_time": .bool(reducer.isOutOfTime),
    ]
  }

  private var operators: [String] {
    after.subgraphs.flatMap(\.operators).map { operation in
      operation.code.customCode ?? BuiltinOperator.name(of: operation.code.builtinCode)
    }
  }

  private static func nodeCount(_ model: ModelWriter) -> Int {
    model.subgraphs.reduce(0) { $0 + $1.operators.count }
  }
}
