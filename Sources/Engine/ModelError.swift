package import OcellusModelFile
import OcellusPlatform

/// The reason why a model cannot be loaded, planned or run.
public struct ModelError: Error, Sendable, Hashable {
  /// The category of an error, for programs that act on it without reading the message.
  public enum Kind: Sendable, Hashable {
    /// The file cannot be opened or read.
    case unreadable
    /// The file violates the rules of its format.
    case malformed
    /// The file is valid but needs something that this engine does not have.
    case unsupported
    /// The engine does not know an operator of the file, or its version.
    case missingOperator
    /// Tensors, shapes or options do not fit each other.
    case mismatch
    /// A node cannot compute with the data it was given, such as an index out of range.
    case invalidData
    /// The model needs more memory or arithmetic than the budget allows.
    case overBudget
    /// The budget's time ran out before the run was done.
    case deadlineExceeded
    /// The run was cancelled.
    case cancelled
  }

  /// One of several things that are wrong with a model.
  public struct Problem: Sendable, Hashable {
    /// The index of the node's subgraph.
    public var subgraph: Int
    /// The index of the node in its subgraph.
    public var node: Int
    /// The operator's name in the schema, or the custom operator's own name.
    public var operatorName: String
    /// The description of the problem, with the tensors' names.
    public var message: String
  }

  /// The most problems that a message lists; `problems` has all of them.
  private static let maximumProblems = 100

  /// The category of the error.
  public var kind: Kind
  /// The description of the error and, where there is one, of the way out.
  public var message: String
  /// The node at fault, where there is one.
  public var place: Problem?
  /// All problems, where one error stands for several.
  public var problems: [Problem]
  /// The position of the error in the file, in bytes from the start.
  public var byteOffset: Int?

  /// Makes an error that does not belong to a node.
  public init(_ kind: Kind, _ message: String, byteOffset: Int? = nil) {
    self.kind = kind
    self.message = message.shortened
    self.byteOffset = byteOffset
    problems = []
  }

  package init(_ kind: Kind, at problem: Problem) {
    self.init(kind, problem.description)
    self.place = problem
  }

  /// Makes an error with one line for each problem, which no name in a file can break into two.
  package init(_ kind: Kind, listing problems: [Problem]) {
    var lines = problems.prefix(Self.maximumProblems).map {
      "  \($0.description.shortened.printableInLine)"
    }
    if problems.count > lines.count { lines.append("  and \(problems.count - lines.count) more") }
    let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
    self.init(kind, "")
    message = (["the model cannot be run: \(count)"] + lines).joined(separator: "\n")
    self.problems = problems
  }

  package init(_ error: ModelFileError) {
    let kind: Kind =
      switch error.kind {
      case .unreadable: .unreadable
      case .malformed: .malformed
      case .unsupported: .unsupported
      case .tooLarge: .overBudget
      }
    self.init(kind, error.description, byteOffset: error.byteOffset)
  }
}

extension ModelError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}

extension ModelError.Problem: CustomStringConvertible {
  /// The location and the message: `node 3 (CONV_2D): …`.
  public var description: String {
    let where_ = subgraph == 0 ? "" : " of subgraph \(subgraph)"
    return "node \(node)\(where_) (\(operatorName)): \(message)"
  }
}
