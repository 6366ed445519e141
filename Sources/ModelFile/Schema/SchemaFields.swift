// The indices of the schema's fields, in the order of schema.fbs; a file identifies fields by them.
// The tables of operators' options are read where the operator is decoded.

enum ModelField {
  static let version = 0
  static let operatorCodes = 1
  static let subgraphs = 2
  static let description = 3
  static let buffers = 4
  static let metadata = 6
  static let signatures = 7
  static let externalBufferGroups = 8
  static let externalBuffers = 9
}

enum OperatorCodeField {
  static let deprecatedBuiltinCode = 0
  static let customCode = 1
  static let version = 2
  static let builtinCode = 3
}

enum SubgraphField {
  static let tensors = 0
  static let inputs = 1
  static let outputs = 2
  static let operators = 3
  static let name = 4
}

enum TensorField {
  static let shape = 0
  static let type = 1
  static let buffer = 2
  static let name = 3
  static let quantization = 4
  static let isVariable = 5
  static let sparsity = 6
  static let shapeSignature = 7
  static let hasRank = 8
  static let variantTensors = 9
  static let externalBuffer = 10
}

enum VariantSubtypeField {
  static let shape = 0
  static let type = 1
  static let hasRank = 2
}

enum QuantizationField {
  static let minimum = 0
  static let maximum = 1
  static let scale = 2
  static let zeroPoint = 3
  static let detailsTag = 4
  static let details = 5
  static let dimension = 6
}

enum QuantizationDetailsTag {
  static let custom = 1
  static let blockwise = 2
  static let multiAxis = 3
}

/// The fields of both `BlockwiseQuantization` and `MultiAxisQuantization`.
enum QuantizationDetailsField {
  static let scales = 0
  static let zeroPoints = 1
  static let blockSize = 2
  static let dimensions = 3
}

enum SparsityField {
  static let traversalOrder = 0
  static let blockMap = 1
  static let dimensions = 2
}

enum SparseDimensionField {
  static let format = 0
  static let denseSize = 1
  static let arraySegmentsTag = 2
  static let arraySegments = 3
  static let arrayIndicesTag = 4
  static let arrayIndices = 5
}

enum SparseIndexTag {
  static let int32 = 1
  static let uint16 = 2
  static let uint8 = 3
}

enum OperatorField {
  static let codeIndex = 0
  static let inputs = 1
  static let outputs = 2
  static let optionsTag = 3
  static let options = 4
  static let customOptions = 5
  static let mutatingVariableInputs = 7
  static let intermediates = 8
  static let largeCustomOptionsOffset = 9
  static let largeCustomOptionsSize = 10
  static let options2Tag = 11
  static let options2 = 12
}

enum BufferField {
  static let data = 0
  static let offset = 1
  static let size = 2
}

enum ExternalBufferGroupField {
  static let name = 0
}

enum ExternalBufferField {
  static let identifier = 0
  static let group = 1
  static let offset = 2
  static let length = 3
  static let packing = 4
}

enum MetadataField {
  static let name = 0
  static let buffer = 1
}

enum TensorMapField {
  static let name = 0
  static let tensor = 1
}

enum SignatureField {
  static let inputs = 0
  static let outputs = 1
  static let key = 2
  static let subgraph = 4
}
