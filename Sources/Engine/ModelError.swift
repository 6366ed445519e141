package import OcellusModelFile
import OcellusPlatform

/// Why a model cannot be loaded, planned or run.
public struct ModelError: Error, Sendable, Hashable {
  /// What kind of thing went wrong, so that programs can decide without reading the message.
  public enum Kind: Sendable, Hashable {
    /// The file cannot be opened or read.
    case unreadable
    /// The file breaks the format's rules.
    case malformed
    /// The file is in order but needs something that this engine does not have.
    case unsupported
    /// An operator of the file, or its version of one, is not known here.
    case missingOperator
    /// Tensors, shapes or options do not fit each other.
    case mismatch
    /// The data that a node was given cannot be computed with, such as an index out of range.
    case invalidData
    /// More memory or arithmetic would be needed than the budget allows.
    case overBudget
    /// The budget's time was over before the model was done.
    case deadlineExceeded
    /// Somebody cancelled the run.
    case cancelled
  }

  /// One of several things that are wrong with a model.
  public struct Problem: Sendable, Hashable {
    /// The subgraph that the node stands in.
    public var subgraph: Int
    /// The position of the node in its subgraph.
    public var node: Int
    /// The schema's name of the operator, or the custom operator's own.
    public var operatorName: String
    /// What is wrong, with the tensors' names.
    public var message: String
  }

  /// The problems that a message lists; the others are in `problems`.
  private static let mostProblems = 100

  /// What kind of thing went wrong.
  public var kind: Kind
  /// What is wrong and, where there is one, the way out.
  public var message: String
  /// The node at fault, where there is one.
  public var place: Problem?
  /// Everything that is wrong, where one error stands for several.
  public var problems: [Problem]
  /// Where in the file it is, in bytes from the start.
  public var byteOffset: Int?

  /// Makes an error that is not about one node.
  public init(_ kind: Kind, _ message: String, byteOffset: Int? = nil) {
    self.kind = kind
    self.message = message.shortened
    self.byteOffset = byteOffset
    problems = []
  }

  package init(_ kind: Kind, at place: Problem) {
    self.init(kind, place.description)
    self.place = place
  }

  /// Makes an error of lines, of which no name in a file can make one more.
  package init(_ kind: Kind, listing problems: [Problem]) {
    var lines = problems.prefix(Self.mostProblems).map {
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
  /// The place and the message: `node 3 (CONV_2D): …`.
  public var description: String {
    let where_ = subgraph == 0 ? "" : " of subgraph \(subgraph)"
    return "node \(node)\(where_) (\(operatorName)): \(message)"
  }
}
