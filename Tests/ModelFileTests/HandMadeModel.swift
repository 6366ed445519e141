import OcellusModelFile

/// A model as bare tables, numbered as in schema.fbs, in which a test can damage any field.
///
/// The model is one ADD of a float[2] input and a float[2] constant.
struct HandMadeModel {
  var root: FlatFields = [0: .uint32(3), 3: .string("hand-made")]
  var codes: [FlatFields] = [[0: .int8(0), 2: .int32(1)]]
  var subgraph: FlatFields = [1: .int32s([Int32(0)]), 2: .int32s([Int32(2)]), 4: .string("main")]
  var tensors: [FlatFields] = [
    [0: .int32s([Int32(2)]), 2: .uint32(0), 3: .string("input")],
    [0: .int32s([Int32(2)]), 2: .uint32(1), 3: .string("constant")],
    [0: .int32s([Int32(2)]), 2: .uint32(0), 3: .string("output")],
  ]
  var node: FlatFields = [
    0: .uint32(0), 1: .int32s([0, 1] as [Int32]), 2: .int32s([Int32(2)]), 3: .uint8(11),
    4: .table([0: .int8(1)]),
  ]
  var buffers: [FlatFields] = [[:], [0: .bytes([0, 0, 128, 63, 0, 0, 0, 64], alignment: 16)]]

  var bytes: [UInt8] {
    var root = root
    var subgraph = subgraph
    subgraph[0] = subgraph[0] ?? .tables(tensors)
    subgraph[3] = subgraph[3] ?? .tables([node])
    root[1] = root[1] ?? .tables(codes)
    root[2] = root[2] ?? .tables([subgraph])
    root[4] = root[4] ?? .tables(buffers)
    return FlatBufferBuilder.file(identifier: "TFL3", root: root)
  }

  func file() throws(ModelFileError) -> ModelFile { try ModelFile(ModelBytes(bytes)) }

  func error() -> ModelFileError? { HandMadeModel.error(of: bytes) }

  static func error(of bytes: [UInt8]) -> ModelFileError? {
    do throws(ModelFileError) {
      _ = try ModelFile(ModelBytes(bytes))
      return nil
    } catch {
      return error
    }
  }
}
