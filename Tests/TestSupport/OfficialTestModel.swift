package import Foundation
import OcellusModelFile

/// Models with the inputs, outputs and results of those in the official runtime's own tests.
package enum OfficialTestModel {
  /// A float model of `output = 3 × input`: two additions.
  package static let add = model(.float32)
  /// A uint8 model of the same additions; one scale for all tensors makes them integer additions.
  package static let addQuantized = model(
    .uint8, quantization: QuantizationRecord(scales: [0.003922], zeroPoints: [0]))

  private static func model(
    _ type: TensorType, quantization: QuantizationRecord? = nil
  ) -> Data {
    let names = ["input", "twice", "output"]
    let addition = OperatorCodeRecord(builtinCode: 0)
    let writer = ModelWriter(subgraphs: [
      .init(
        tensors: names.map { .init($0, type, [1, 8, 8, 3], quantization: quantization) },
        inputs: [0], outputs: [2],
        operators: [
          .init(
            addition, inputs: [0, 0], outputs: [1], options: .init(tag: BuiltinOptionsTag.add)),
          .init(
            addition, inputs: [1, 0], outputs: [2], options: .init(tag: BuiltinOptionsTag.add)),
        ])
    ])
    return Data(writer.bytes())
  }

  /// A model with the signatures `add` (`x + 2`) and `sub` (`x − 2`) in separate subgraphs, as
  /// TensorFlow converts it.
  package static let multipleSignatures: Data = {
    func subgraph(_ name: String, _ code: OperatorCodeRecord, tag: Int) -> ModelWriter.Subgraph {
      .init(
        name: name,
        tensors: [
          .init("\(name)_x:0", .float32, [1], shapeSignature: [-1]),
          .init("two", .float32, [], constant: [0, 0, 0, 0x40]),
          .init("StatefulPartitionedCall:0", .float32, [1], shapeSignature: [-1]),
        ], inputs: [0], outputs: [2],
        operators: [.init(code, inputs: [0, 1], outputs: [2], options: .init(tag: tag))])
    }
    func signature(_ key: String, subgraph: Int) -> SignatureRecord {
      SignatureRecord(
        key: key, subgraphIndex: subgraph, inputs: [.init(name: "x", tensor: 0)],
        outputs: [.init(name: "output_0", tensor: 2)])
    }
    let writer = ModelWriter(
      subgraphs: [
        subgraph("add", OperatorCodeRecord(builtinCode: 0), tag: BuiltinOptionsTag.add),
        subgraph("sub", OperatorCodeRecord(builtinCode: 41), tag: BuiltinOptionsTag.sub),
      ],
      signatures: [signature("add", subgraph: 0), signature("sub", subgraph: 1)])
    return Data(writer.bytes())
  }()
}
