/// Variables and tables that outlive a run, shared by the subgraphs of an interpreter.
///
/// Resource tensors hold a number that this table gave out, so a number that an input made up
/// is recognised and refused.
///
/// Unchecked: an interpreter's, used by one thread at a time like all of it.
package final class ResourceTable: @unchecked Sendable {
  private var identifiers: [String: Int] = [:]
  private var resources: [AnyObject?] = []
  /// By subgraph, whether CALL_ONCE has run it; the last ones may be missing.
  private var initialized: [Bool] = []

  /// The number of a resource, by the name under which all nodes refer to it.
  package func identifier(named name: String) -> Int {
    if let identifier = identifiers[name] { return identifier }
    identifiers[name] = resources.count
    resources.append(nil)
    return resources.count - 1
  }

  /// The resource with this number, if it exists and is of the wanted kind.
  package func resource<Resource: AnyObject>(
    _ identifier: Int, as _: Resource.Type
  ) -> Resource? {
    resources.indices.contains(identifier) ? resources[identifier] as? Resource : nil
  }

  /// The variable whose number a resource tensor holds.
  @inline(__always)
  func variable(namedBy handle: UnsafeRawPointer) -> ResourceVariable? {
    resource(Int(handle.load(as: Int32.self)), as: ResourceVariable.self)
  }

  package func isEmpty(_ identifier: Int) -> Bool {
    resources.indices.contains(identifier) && resources[identifier] == nil
  }

  /// Puts a resource behind a number that `identifier(named:)` gave out.
  package func set(_ identifier: Int, to resource: AnyObject) {
    precondition(resources.indices.contains(identifier), "no such resource")
    resources[identifier] = resource
  }

  /// Whether CALL_ONCE has run a subgraph.
  func isInitialized(_ subgraph: Int) -> Bool {
    subgraph < initialized.count && initialized[subgraph]
  }

  /// Takes down that CALL_ONCE has run a subgraph.
  func markInitialized(_ subgraph: Int) {
    while initialized.count <= subgraph { initialized.append(false) }
    initialized[subgraph] = true
  }

  /// Forgets all values; the numbers stay.
  func reset() {
    initialized = []
    for index in resources.indices { resources[index] = nil }
  }
}
