/// Variables and tables that outlive a run, shared by the subgraphs of an interpreter.
///
/// Resource tensors hold an identifier that this table gave out, so one that an input made up is
/// recognised and refused.
///
/// Unchecked: only the thread that uses the interpreter uses it.
package final class ResourceTable: @unchecked Sendable {
  private var identifiers: [String: Int] = [:]
  private var resources: [AnyObject?] = []
  /// For each subgraph, whether CALL_ONCE has run it; entries at the end may be missing.
  private var initialized: [Bool] = []

  /// Returns the identifier of a resource, by the name that all nodes use for it.
  package func identifier(named name: String) -> Int {
    if let identifier = identifiers[name] { return identifier }
    identifiers[name] = resources.count
    resources.append(nil)
    return resources.count - 1
  }

  /// Returns the resource with this identifier, if it exists and is of the requested kind.
  package func resource<Resource: AnyObject>(
    _ identifier: Int, as _: Resource.Type
  ) -> Resource? {
    resources.indices.contains(identifier) ? resources[identifier] as? Resource : nil
  }

  /// Returns the variable whose identifier a resource tensor holds.
  @inline(__always)
  func variable(namedBy handle: UnsafeRawPointer) -> ResourceVariable? {
    resource(Int(handle.load(as: Int32.self)), as: ResourceVariable.self)
  }

  package func isEmpty(_ identifier: Int) -> Bool {
    resources.indices.contains(identifier) && resources[identifier] == nil
  }

  /// Stores a resource under an identifier that `identifier(named:)` gave out.
  package func set(_ identifier: Int, to resource: AnyObject) {
    precondition(resources.indices.contains(identifier), "no such resource")
    resources[identifier] = resource
  }

  /// Returns whether CALL_ONCE has run a subgraph.
  func isInitialized(_ subgraph: Int) -> Bool {
    subgraph < initialized.count && initialized[subgraph]
  }

  /// Records that CALL_ONCE has run a subgraph.
  func markInitialized(_ subgraph: Int) {
    while initialized.count <= subgraph { initialized.append(false) }
    initialized[subgraph] = true
  }

  /// Drops all resources; their identifiers stay valid.
  func reset() {
    initialized = []
    for index in resources.indices { resources[index] = nil }
  }
}
