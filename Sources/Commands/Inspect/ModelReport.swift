import OcellusEngine
import OcellusModelFile
import OcellusPlatform

/// Everything that `inspect` shows of a model.
struct ModelReport {
  /// Which lists are wanted besides the overview.
  struct Details {
    var showsNodes = false
    var showsTensors = false
    var showsPlan = false
  }

  let path: String
  let file: ModelFile
  let details: Details
  let metadata: MetadataReport
  /// The plan of the main subgraph; nil if the model cannot be planned.
  let plan: PlanDescription?
  /// Why the model cannot be loaded or planned; nil if it can.
  let refusal: ModelError?
  /// The signatures that cannot be run though the model can, and what is wrong with their nodes.
  let unusableSignatures: Set<String>
  private let nodeProblems: [ModelError.Problem]
  /// What the interpreter takes besides the mapped file and the packed weights.
  let memoryInUse: Int

  /// Reads a model and plans it if it can be planned.
  ///
  /// - Throws: `ModelFileError` when the file is not a model that can be shown.
  init(path: String, details: Details = Details()) throws {
    self.path = path
    self.details = details
    file = try ModelFile(try FileOrStream.model(path))
    metadata = MetadataReport(of: file)
    var model: Model?
    do throws(ModelError) {
      let readable = try Model(file)
      model = readable
      let interpreter = try Interpreter(
        readable, options: .init(budget: BudgetOptions.usual))
      try interpreter.allocate()
      plan = interpreter.plan
      memoryInUse = interpreter.memoryInUse
      refusal = nil
    } catch {
      plan = nil
      memoryInUse = 0
      refusal = error
    }
    unusableSignatures = Set(model?.unusableSignatureKeys ?? [])
    nodeProblems = refusal?.problems ?? model?.graph.problems.all ?? []
  }

  /// The main subgraph, which every model has.
  var main: SubgraphRecord { file.subgraphs[0] }

  /// The schema's name of a node's operator, or the custom one's.
  func operatorName(of node: OperatorRecord) -> String {
    file.operatorCodes[node.codeIndex].name
  }

  /// The multiply-adds of the main subgraph.
  var multiplyAdds: Int { plan?.multiplyAdds ?? 0 }
}

extension ModelReport {
  /// How often a model uses an operator.
  struct OperatorUsage {
    let name: String
    var count = 0
    var versions: Set<Int> = []
    /// Of the nodes in the main subgraph.
    var multiplyAdds = 0
    /// How many nodes of the main subgraph a kernel runs, by its name.
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

  /// The constants of all subgraphs by type, the largest first; shared ones count once.
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

  /// What keeps nodes from running, the same problem of the same operator once.
  struct Problem {
    let subgraph: Int
    let operatorName: String
    let message: String
    var nodes: [Int] = []
  }

  /// What is not supported, in the order of the nodes.
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
