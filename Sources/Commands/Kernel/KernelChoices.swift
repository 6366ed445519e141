import OcellusEngine
import OcellusJSON
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusProfile

/// The kernels of each implementation for the nodes of a model.
struct NodeKernels {
  let nodes: [PlanDescription.Node]
  /// The kernel names of each implementation, node by node.
  let kernels: [(implementation: KernelImplementation, names: [String?])]

  init(of model: Model, _ inputs: RunInputs, _ options: Interpreter.Options) throws {
    var options = options
    options.runsNodesSeparately = true
    var nodes: [PlanDescription.Node] = []
    kernels = try KernelImplementation.all.dropLast().map { implementation in
      let interpreter = try Interpreter(model, options: implementation.options(options))
      let entry = try inputs.entry(of: interpreter)
      try inputs.set(in: entry, of: interpreter)
      // If shapes depend on data, the plan is complete only after a run.
      if entry.plan.nodes.contains(where: { $0.execution == .unplanned }) { try entry.run() }
      nodes = entry.plan.nodes
      return (implementation, nodes.map(\.execution.kernelName))
    }
    self.nodes = nodes
  }
}

/// The output of `kernel list`.
enum KernelChoices {
  static func text(_ nodes: NodeKernels?) -> String {
    guard let nodes else { return implementations.text() + "\n" + families.text() }
    var table = TextTable(
      [.right("node"), .left("operator"), .left("output")]
        + nodes.kernels.map { .left($0.implementation.name) })
    for (position, node) in nodes.nodes.enumerated() {
      table.add(
        ["\(node.index)", node.operatorName, shape(of: node)]
          + nodes.kernels.map { $0.names[position] ?? "" })
    }
    return table.text()
  }

  private static func shape(of node: PlanDescription.Node) -> String {
    node.results.first?.shape.map { "\($0)" } ?? ""
  }

  private static var implementations: TextTable {
    var table = TextTable([.left("implementation"), .left("here"), .left("")])
    for implementation in KernelImplementation.all {
      table.add([implementation.name, "yes", implementation.summary])
    }
    for (name, reason) in missing { table.add([name, "no", reason]) }
    return table
  }

  private static var families: TextTable {
    var table = TextTable([.left("instruction set"), .left("family"), .left("strategies")])
    for kernels in KernelTable.available {
      for family in kernels.families {
        table.add([kernels.name, family.name, family.strategies.joined(separator: ", ")])
      }
    }
    return table
  }

  private static var missing: [(name: String, reason: String)] {
    KernelChoice.current.candidates.compactMap { candidate in
      candidate.reason.map { (candidate.name, $0) }
    } + (OpenBLAS.installed == nil ? [("blas", "\(OpenBLAS.fileName) is not installed")] : [])
  }

  static func json(_ nodes: NodeKernels?) -> JSONValue {
    [
      "action": "list",
      "implementations": .array(
        KernelImplementation.all.map { implementation in
          [
            "name": .string(implementation.name), "is_available": true,
            "summary": .string(implementation.summary),
          ]
        }
          + missing.map { name, reason in
            ["name": .string(name), "is_available": false, "summary": .string(reason)]
          }),
      "families": .array(
        KernelTable.available.flatMap { kernels in
          kernels.families.map { family in
            [
              "instruction_set": .string(kernels.name), "family": .string(family.name),
              "strategies": .array(family.strategies.map { .string($0) }),
            ]
          }
        }),
      "nodes": .array((nodes?.nodes ?? []).enumerated().map { json(nodes, $0.offset, $0.element) }),
    ]
  }

  private static func json(
    _ nodes: NodeKernels?, _ position: Int, _ node: PlanDescription.Node
  ) -> JSONValue {
    [
      "node": .integer(node.index), "operator": .string(node.operatorName),
      "output": .string(shape(of: node)),
      "kernels": .array(
        (nodes?.kernels ?? []).map { implementation, names in
          [
            "implementation": .string(implementation.name),
            "kernel": .string(orNull: names[position]),
          ]
        }),
    ]
  }
}

/// The peak rates of instruction sets, each measured on first use.
struct KernelLimits {
  let threads: Int
  private var known: [String: MachineLimits] = [:]

  init(threads: Int) { self.threads = threads }

  /// Returns the peak rates of the instruction sets that the trial timed.
  mutating func of(_ trial: KernelBenchmark) -> [String: MachineLimits] {
    for outcome in trial.outcomes where outcome.time != nil {
      let name = String(outcome.implementation.name.prefix { $0 != "," })
      guard MachineLimits.instructionSets.contains(name), known[name] == nil else { continue }
      known[name] = MachineLimits(instructionSet: name, threads: threads)
    }
    return known
  }
}
