public import OcellusEngine
import OcellusJSON
import OcellusPlatform

/// What a model computed from an input, in hashes: every node's results, bound together in one root.
///
/// Whoever has the model and the input can compute it again. The root says nothing of the processor, the
/// number of threads or the version of the program, so that it is the same wherever the bits are.
public struct Receipt: Sendable, Equatable {
  /// A tensor and the SHA-256 of its bytes.
  public struct Tensor: Sendable, Equatable {
    /// Its number in its subgraph.
    public var index: Int
    /// Its name in the file.
    public var name: String
    /// The type of its elements.
    public var type: ElementType
    /// Its extents.
    public var shape: Shape
    /// The SHA-256 of its bytes, as hexadecimal digits.
    public var hash: String
  }

  /// A node and what it made.
  public struct Node: Sendable, Equatable {
    /// The subgraph that it stands in.
    public var subgraph: Int
    /// Its position in the subgraph.
    public var index: Int
    /// How often it had run before.
    public var call: Int
    /// The schema's name of its operator, or the custom one's.
    public var operatorName: String
    /// Its results.
    public var outputs: [Tensor]
  }

  /// A decision about how a picture became an input.
  public struct Preparation: Sendable, Equatable {
    /// What was decided: `resampler`.
    public var property: String
    /// How.
    public var value: String

    /// A decision.
    public init(property: String, value: String) {
      (self.property, self.value) = (property, value)
    }
  }

  /// What the receipt tells of the run beside the root's contents: they may differ where the bits do not.
  public struct Setting: Sendable, Equatable {
    /// The program's version.
    public var version: String
    /// The kernels that ran.
    public var instructionSet: String
    /// The threads that shared the work.
    public var threads: Int
    /// `exact`, `fast` or `reference`.
    public var numerics: String

    /// How a model was run.
    public init(version: String, instructionSet: String, threads: Int, numerics: String) {
      self.version = version
      self.instructionSet = instructionSet
      self.threads = threads
      self.numerics = numerics
    }
  }

  /// The SHA-256 of the model's file, as hexadecimal digits.
  public var modelHash: String
  /// The bytes of the model's file.
  public var modelByteCount: Int
  /// What the model was shown.
  public var inputs: [Tensor]
  /// The SHA-256 of the pictures that inputs were made of, if any were.
  public var pictureHashes: [String]
  /// How they were made.
  public var preparations: [Preparation]
  /// The nodes in the order in which they ended.
  public var nodes: [Node]
  /// What the model answered.
  public var outputs: [Tensor]
  /// How it was run.
  public var setting: Setting

  /// The root of the Merkle tree over model, inputs, preparation and nodes, as hexadecimal digits.
  ///
  /// Its leaves are the canonical texts of `model`, each of `inputs`, `preparation`, each of `nodes` and
  /// each of `outputs`, as the receipt's JSON has them.
  public var root: String {
    MerkleTree.root(of: leaves.map { Array($0.text.utf8) }).hexadecimal
  }
}
