/// One node as it will run.
struct PlannedNode {
  /// The node that does the work.
  enum Role {
    /// The node itself.
    case runs
    /// None: the results lie in the memory of its operands.
    case view
    /// A later node, into which this one is fused.
    case fused(by: Int)
    /// The first node of a fused elementwise group.
    case fusedGroup(to: Int)
  }

  /// The node with the operands that it reads when it runs, including those of nodes fused into it.
  var node: Node
  /// The tuned implementation; `nil` runs the reference kernel.
  var step: Step?
  /// The reason why there is no tuned step.
  var referenceReason: ReferenceReason?
  var role = Role.runs
  var multiplyAdds: Int
  /// The cost charged to a run: the multiply-adds and the number of elements touched.
  var cost: Int
  /// Whether the run makes the outputs, because their shapes are known only then.
  var makesOutputs = false
  var scratch: UnsafeMutableRawPointer?
  /// Whether subnormal floats count as zero while it runs; `nil` where that changes no bit.
  var takesSubnormalsAsZero: Bool?

  init(
    node: Node, referenceReason: ReferenceReason? = nil, multiplyAdds: Int, cost: Int,
    makesOutputs: Bool = false
  ) {
    self.node = node
    self.referenceReason = referenceReason
    self.multiplyAdds = multiplyAdds
    self.cost = cost
    self.makesOutputs = makesOutputs
    takesSubnormalsAsZero = node.takesSubnormalsAsZero
  }

  /// Whether nothing runs for this node: another node does the work, or there is none.
  var isIdle: Bool {
    if case .view = role { true } else { runsInAnotherStep }
  }

  /// Whether the work is done under another node's name.
  var runsInAnotherStep: Bool {
    switch role {
    case .runs, .view: false
    case .fused, .fusedGroup: true
    }
  }
}
