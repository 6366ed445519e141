/// A model to be written, for tests and for reproducing a model's behaviour.
///
/// Nothing is checked beyond the limits of the format; ``ModelFile`` checks the bytes when it reads
/// them.
package struct ModelWriter: Sendable, Equatable {
  package var description: String
  package var subgraphs: [Subgraph]
  package var signatures: [SignatureRecord]
  package var metadata: [Metadata]

  package init(
    description: String = "", subgraphs: [Subgraph], signatures: [SignatureRecord] = [],
    metadata: [Metadata] = []
  ) {
    self.description = description
    self.subgraphs = subgraphs
    self.signatures = signatures
    self.metadata = metadata
  }

  package struct Subgraph: Sendable, Equatable {
    package var name: String
    package var tensors: [Tensor]
    package var inputs: [Int]
    package var outputs: [Int]
    package var operators: [Operator]

    package init(
      name: String = "main", tensors: [Tensor], inputs: [Int], outputs: [Int],
      operators: [Operator]
    ) {
      self.name = name
      self.tensors = tensors
      self.inputs = inputs
      self.outputs = outputs
      self.operators = operators
    }
  }

  package struct Tensor: Sendable, Equatable {
    package var name: String
    package var type: TensorType
    package var shape: [Int]
    package var shapeSignature: [Int]?
    package var hasRank = false
    /// The value, if the tensor is a constant.
    package var constant: [UInt8]?
    package var quantization: QuantizationRecord?
    package var isVariable: Bool
    package var sparsity: SparsityRecord?
    package var variantSubtypes: [VariantSubtypeRecord] = []

    package init(
      _ name: String, _ type: TensorType, _ shape: [Int], shapeSignature: [Int]? = nil,
      constant: [UInt8]? = nil, quantization: QuantizationRecord? = nil, isVariable: Bool = false,
      sparsity: SparsityRecord? = nil
    ) {
      self.name = name
      self.type = type
      self.shape = shape
      self.shapeSignature = shapeSignature
      self.constant = constant
      self.quantization = quantization
      self.isVariable = isVariable
      self.sparsity = sparsity
    }
  }

  package struct Operator: Sendable, Equatable {
    package var code: OperatorCodeRecord
    /// The indices of the tensors that are read; -1 for an optional one that is left out.
    package var inputs: [Int]
    package var outputs: [Int]
    package var options: Options?
    package var options2: Options?
    package var customOptions: [UInt8]
    package var intermediates: [Int] = []
    package var mutatingVariableInputs: [Bool] = []

    package init(
      _ code: OperatorCodeRecord, inputs: [Int], outputs: [Int], options: Options? = nil,
      options2: Options? = nil, customOptions: [UInt8] = []
    ) {
      self.code = code
      self.inputs = inputs
      self.outputs = outputs
      self.options = options
      self.options2 = options2
      self.customOptions = customOptions
    }
  }

  /// A table of options: its union tag and the fields that differ from their defaults.
  package struct Options: Sendable, Equatable {
    package var tag: Int
    package var fields: FlatFields

    package init(tag: Int, _ fields: FlatFields = [:]) {
      self.tag = tag
      self.fields = fields
    }
  }

  package struct Metadata: Sendable, Equatable {
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }
}
