/// One node as it will run.
struct PlannedNode {
  /// Who does the node's work.
  enum Role {
    /// The node itself.
    case runs
    /// Nobody: its results lie where its operands do.
    case view
    /// A later node, in passing.
    case absorbed(by: Int)
    /// The first node of a chain, piece by piece with what follows.
    case chained(to: Int)
  }

  /// The node with the operands that it reads when it runs, which may be those of others that it
  /// does the work of.
  var node: Node
  /// The tuned implementation; `nil` runs the reference.
  var step: Step?
  /// Why there is none.
  var referenceReason: ReferenceReason?
  var role = Role.runs
  var multiplyAdds: Int
  /// What a run is charged for the node: the multiply-adds, and the elements it touches.
  var cost: Int
  /// Whether the run makes the outputs, since only then their shapes are known.
  var makesOutputs = false
  var scratch: UnsafeMutableRawPointer?

  /// Whether nothing is done when it runs: another node does the work, or there is none.
  var isIdle: Bool {
    if case .view = role { true } else { isElsewhere }
  }

  /// Whether the work is done under another node's name.
  var isElsewhere: Bool {
    switch role {
    case .runs, .view: false
    case .absorbed, .chained: true
    }
  }
}
