import OcellusEngine
import OcellusModelFile
import OcellusPlatform

/// The properties of a model that `inspect` shows.
struct ModelReport {
  /// The lists to show besides the overview.
  struct Details {
    var showsNodes = false
    var showsTensors = false
    var showsPlan = false
    /// The processor for which to show the nodes that LiteRT's default numerics cover.
    var liteRTProcessor: Interpreter.LiteRTProcessor?
    /// How the plan chooses strategies.
    var tuning = Interpreter.Tuning.off
    /// The numerics of the run that is planned.
    var numerics = Interpreter.Numerics.fast
  }

  let path: String
  let file: ModelFile
  let details: Details
  let metadata: MetadataReport
  /// The plan of the main subgraph; `nil` if the model cannot be planned.
  let plan: PlanDescription?
  /// The reason why the model cannot be loaded or planned; `nil` if it can.
  let refusal: ModelError?
  /// The signatures that cannot run although the main subgraph can, and the problems of all nodes.
  let unusableSignatures: Set<String>
  /// The nodes that LiteRT delegates, and those whose bits are not imitated.
  let liteRT: LiteRTCoverage?
  private let nodeProblems: [ModelError.Problem]
  /// The memory that the interpreter uses besides the mapped file and the packed weights.
  let memoryInUse: Int

  /// Reads a model and plans it if possible.
  ///
  /// - Throws: `ModelFileError` if the file is not a readable model, and a `ModelError` about a file
  ///   of measured strategies.
  init(path: String, details: Details = Details()) throws {
    self.path = path
    self.details = details
    file = try ModelFile(try FileOrStream.model(path))
    metadata = MetadataReport(of: file)
    try details.tuning.checkFile()
    var options = Interpreter.Options(budget: BudgetOptions.usual, numerics: details.numerics)
    options.tuning = details.tuning
    var model: Model?
    do throws(ModelError) {
      let readable = try Model(file)
      model = readable
      let interpreter = try Interpreter(readable, options: options)
      try interpreter.allocate()
      plan = interpreter.plan
      memoryInUse = interpreter.memoryInUse
      refusal = nil
    } catch {
      plan = nil
      memoryInUse = 0
      refusal = error
    }
    liteRT = details.liteRTProcessor.flatMap { processor in
      model.map { LiteRTCoverage(of: $0.graph, on: processor) }
    }
    unusableSignatures = Set(model?.unusableSignatureKeys ?? [])
    nodeProblems = refusal?.problems ?? model?.graph.problems.all ?? []
  }

  /// The main subgraph, which every model has.
  var main: SubgraphRecord { file.subgraphs[0] }

  /// Returns the operator's name in the schema, or the name of a custom operator.
  func operatorName(of node: OperatorRecord) -> String {
    file.operatorCodes[node.codeIndex].name
  }

  /// The number of multiply-adds of the main subgraph.
  var multiplyAdds: Int { plan?.multiplyAdds ?? 0 }
}

extension ModelReport {
  /// The use of an operator in a model.
  struct OperatorUsage {
    let name: String
    var count = 0
    var versions: Set<Int> = []
    /// The number of multiply-adds of its nodes in the main subgraph.
    var multiplyAdds = 0
    /// The number of nodes in the main subgraph by kernel.
    var kernels: [String: Int] = [:]
  }

  /// The operators of all subgraphs, those with the most multiply-adds first.
  var operatorUsage: [OperatorUsage] {
    var usage: [String: OperatorUsage] = [:]
    for subgraph in file.subgraphs {
      for node in subgraph.operators {
        let name = operatorName(of: node)
        usage[name, default: OperatorUsage(name: name)].count += 1
        usage[name]?.versions.insert(file.operatorCodes[node.codeIndex].version)
      }
    }
    for planned in plan?.nodes ?? [] {
      usage[planned.operatorName]?.multiplyAdds += planned.multiplyAdds
      guard let kernel = planned.execution.kernelName else { continue }
      usage[planned.operatorName]?.kernels[kernel, default: 0] += 1
    }
    return usage.values.sorted {
      ($1.multiplyAdds, $1.count, $0.name) < ($0.multiplyAdds, $0.count, $1.name)
    }
  }

  /// The constants of one type.
  struct WeightUsage {
    let type: TensorType
    var count = 0
    var byteCount = 0
  }

  /// The constants of all subgraphs by type, largest first; shared buffers count once.
  var weightUsage: [WeightUsage] {
    var usage: [TensorType: WeightUsage] = [:]
    var seen: Set<Int> = []
    for tensor in file.subgraphs.flatMap(\.tensors) {
      guard let data = tensor.data, !data.isEmpty, seen.insert(tensor.bufferIndex).inserted else {
        continue
      }
      usage[tensor.type, default: WeightUsage(type: tensor.type)].count += 1
      usage[tensor.type]?.byteCount += data.count
    }
    return usage.values.sorted { ($1.byteCount, $0.type.name) < ($0.byteCount, $1.type.name) }
  }

  /// A reason why nodes cannot run; equal problems of equal operators are combined.
  struct Problem {
    let subgraph: Int
    let operatorName: String
    let message: String
    var nodes: [Int] = []
  }

  /// The unsupported nodes, in execution order.
  var problems: [Problem] {
    var positions: [String: Int] = [:]
    var problems: [Problem] = []
    for problem in nodeProblems {
      let key = "\(problem.subgraph) \(problem.operatorName): \(problem.message)"
      let position = positions[key] ?? problems.count
      if position == problems.count {
        positions[key] = position
        problems.append(
          Problem(
            subgraph: problem.subgraph, operatorName: problem.operatorName,
            message: problem.message))
      }
      problems[position].nodes.append(problem.node)
    }
    return problems
  }
}
