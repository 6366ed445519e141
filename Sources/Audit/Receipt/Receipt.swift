public import OcellusEngine
import OcellusJSON
import OcellusPlatform

/// The hashes of everything that a model computed from an input, bound together in one root.
///
/// Anyone who has the model and the input can compute it again. The root does not depend on the
/// processor, the number of threads or the program's version, so it is the same wherever the bits
/// are.
public struct Receipt: Sendable, Equatable {
  /// A tensor and the SHA-256 of its bytes.
  public struct Tensor: Sendable, Equatable {
    /// The tensor's index in its subgraph.
    public var index: Int
    /// The tensor's name in the file.
    public var name: String
    /// The type of the elements.
    public var type: ElementType
    /// The shape.
    public var shape: Shape
    /// The SHA-256 of the bytes, as hexadecimal digits.
    public var hash: String
  }

  /// A node and its results.
  public struct Node: Sendable, Equatable {
    /// The subgraph that contains the node.
    public var subgraph: Int
    /// The node's index in the subgraph.
    public var index: Int
    /// The number of earlier executions of the node.
    public var call: Int
    /// The operator's name in the schema, or the name of a custom operator.
    public var operatorName: String
    /// The results.
    public var outputs: [Tensor]
  }

  /// A decision about how a picture became an input.
  public struct Preparation: Sendable, Equatable {
    /// The property that was decided, such as `resampler`.
    public var property: String
    /// The choice.
    public var value: String

    /// Makes a decision.
    public init(property: String, value: String) {
      (self.property, self.value) = (property, value)
    }
  }

  /// The conditions of a run, which may vary without changing bits and are not part of the root.
  public struct Setting: Sendable, Equatable {
    /// The program's version.
    public var version: String
    /// The instruction set of the kernels.
    public var instructionSet: String
    /// The number of threads that shared the work.
    public var threads: Int
    /// `exact`, `fast` or `reference`.
    public var numerics: String

    /// Makes a setting.
    public init(version: String, instructionSet: String, threads: Int, numerics: String) {
      self.version = version
      self.instructionSet = instructionSet
      self.threads = threads
      self.numerics = numerics
    }
  }

  /// The SHA-256 of the model's file, as hexadecimal digits.
  public var modelHash: String
  /// The size of the model's file in bytes.
  public var modelByteCount: Int
  /// The inputs of the model.
  public var inputs: [Tensor]
  /// The SHA-256 of the pictures from which inputs were made, if any.
  public var pictureHashes: [String]
  /// The decisions about how inputs were made from pictures.
  public var preparations: [Preparation]
  /// The nodes, in the order in which they finished.
  public var nodes: [Node]
  /// The outputs of the model.
  public var outputs: [Tensor]
  /// The conditions of the run.
  public var setting: Setting

  /// The root of the Merkle tree over everything in the receipt but the setting, in hexadecimal.
  ///
  /// Its leaves are the canonical texts of `model`, each of `inputs`, `preparation`, each of
  /// `nodes` and each of `outputs`, as in the receipt's JSON.
  public var root: String {
    MerkleTree.root(of: leaves.map { Array($0.text.utf8) }).hexadecimal
  }
}
