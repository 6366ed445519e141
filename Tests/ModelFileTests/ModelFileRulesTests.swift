import OcellusModelFile
import OcellusTestSupport
import Testing

/// One error in a model that is otherwise valid.
struct Fault: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var kind: ModelFileError.Kind
  var commit: @Sendable (inout HandMadeModel) -> Void

  init(
    _ description: String, _ kind: ModelFileError.Kind = .malformed,
    _ commit: @escaping @Sendable (inout HandMadeModel) -> Void
  ) {
    testDescription = description
    self.kind = kind
    self.commit = commit
  }
}

@Suite struct ModelFileRulesTests {
  @Test func theModelIsRightWithoutFaults() throws {
    let file = try HandMadeModel().file()
    #expect(file.description == "hand-made")
    #expect(file.operatorCodes.map(\.name) == ["ADD"])
    #expect(file.subgraphs[0].tensors.map(\.name) == ["input", "constant", "output"])
    #expect(file.subgraphs[0].tensors[1].data?.loadUnaligned(as: Float.self) == 1)
    #expect(file.subgraphs[0].operators[0].options.tag == BuiltinOptionsTag.add)
  }

  static let faults: [Fault] = [
    Fault("schema version 2", .unsupported) { $0.root[0] = .uint32(2) },
    Fault("no buffers") { $0.root[4] = .table([:]) },
    Fault("no subgraphs") { $0.root[2] = .tables([]) },
    Fault("no tensors") { $0.subgraph[0] = .table([:]) },
    Fault("input of the graph") { $0.subgraph[1] = .int32s([Int32(3)]) },
    Fault("left-out output of the graph") { $0.subgraph[2] = .int32s([Int32(-1)]) },
    Fault("input of the operator") { $0.node[1] = .int32s([0, -2] as [Int32]) },
    Fault("output of the operator") { $0.node[2] = .int32s([Int32(-1)]) },
    Fault("intermediate of the operator") { $0.node[8] = .int32s([Int32(9)]) },
    Fault("operator code") { $0.node[0] = .uint32(1) },
    Fault("custom operator without a name") { $0.codes[0][0] = .int8(32) },
    Fault("output that is an input") { $0.node[2] = .int32s([Int32(0)]) },
    Fault("buffer") { $0.tensors[1][2] = .uint32(2) },
    Fault("constant too short") { $0.tensors[1][0] = .int32s([Int32(3)]) },
    Fault("negative dimension") { $0.tensors[0][0] = .int32s([Int32(-1)]) },
    Fault("more elements than memory") {
      $0.tensors[0][0] = .int32s(Array(repeating: Int32.max, count: 3))
    },
    Fault("more bytes than memory") {
      $0.tensors[0][0] = .int32s([Int32.max, Int32.max, 2])
    },
    Fault("type beyond the schema", .unsupported) { $0.tensors[0][1] = .int8(99) },
    Fault("variable with a value", .unsupported) { $0.tensors[1][5] = .bool(true) },
    Fault("variable of strings", .unsupported) {
      $0.tensors[0][1] = .int8(5)
      $0.tensors[0][5] = .bool(true)
    },
    Fault("external buffer", .unsupported) { $0.tensors[0][10] = .uint32(1) },
    Fault("data behind the file") {
      $0.buffers[1] = [1: .uint64(1 << 40), 2: .uint64(8)]
    },
    Fault("data that ends behind all memory") {
      $0.buffers[1] = [1: .uint64(16), 2: .uint64(.max)]
    },
    Fault("custom options behind the file") {
      $0.node[9] = .uint64(16)
      $0.node[10] = .uint64(1 << 40)
    },
    Fault("strings that are no strings") { $0.tensors[1][1] = .int8(5) },
    Fault("fewer strings than elements") {
      $0.tensors[1][1] = .int8(5)
      $0.buffers[1] = [0: .bytes([1, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0, 97], alignment: 16)]
    },
    Fault("scales without zero points") {
      $0.tensors[0][4] = .table([2: .floats([1])])
    },
    Fault("fewer zero points than scales") {
      $0.tensors[0][4] = .table([2: .floats([1, 1]), 3: .int64s([0])])
    },
    Fault("zero point beyond 32 bits") {
      $0.tensors[0][4] = .table([2: .floats([1]), 3: .int64s([1 << 40])])
    },
    Fault("zero point beyond 32 bits beside several axes") {
      $0.tensors[0][4] = .table([
        2: .floats([1]), 3: .int64s([.min]), 4: .uint8(3), 5: .table([3: .int32s([Int32(0)])]),
      ])
    },
    Fault("zero point beyond 32 bits beside details of no kind") {
      $0.tensors[0][4] = .table([2: .floats([1]), 3: .int64s([.max]), 4: .uint8(9)])
    },
    Fault("quantized dimension") {
      $0.tensors[0][4] = .table([2: .floats([1]), 3: .int64s([0]), 6: .int32(1)])
    },
    Fault("scales for another dimension") {
      $0.tensors[0][4] = .table([2: .floats([1, 1, 1]), 3: .int64s([0, 0, 0])])
    },
    Fault("blockwise scales in no tensor") {
      $0.tensors[0][4] = .table([4: .uint8(2), 5: .table([0: .int32(3), 2: .int32(4)])])
    },
    Fault("blocks of nothing") {
      $0.tensors[0][4] = .table([4: .uint8(2), 5: .table([0: .int32(1)])])
    },
    Fault("blockwise without details") { $0.tensors[0][4] = .table([4: .uint8(2)]) },
    Fault("several axes, one of them outside") {
      $0.tensors[0][4] = .table([4: .uint8(3), 5: .table([3: .int32s([0, 1] as [Int32])])])
    },
    Fault("blocks of less than nothing along several axes") {
      $0.tensors[0][4] = .table([
        4: .uint8(3), 5: .table([2: .int32(-1), 3: .int32s([Int32(0)])]),
      ])
    },
    Fault("sparsity without dimensions") {
      $0.tensors[1][6] = .table([0: .int32s([Int32(0)])])
    },
    Fault("signature without key") { $0.root[7] = .tables([[4: .uint32(0)]]) },
    Fault("signature of no subgraph") {
      $0.root[7] = .tables([[2: .string("key"), 4: .uint32(1)]])
    },
    Fault("signature of no tensor") {
      let named: FlatFields = [0: .string("x"), 1: .uint32(3)]
      $0.root[7] = .tables([[0: .tables([named]), 2: .string("key")]])
    },
    Fault("metadata in no buffer") { $0.root[6] = .tables([[0: .string("x"), 1: .uint32(2)]]) },
    Fault("options whose vector leaves the file") {
      // RESHAPE's new_shape is a scalar, whose value would be read as an offset.
      $0.node[3] = .uint8(17)
      $0.node[4] = .table([0: .uint32(0xFFFF)])
    },
  ]

  @Test(arguments: faults)
  func everyFaultIsFound(_ fault: Fault) throws {
    var model = HandMadeModel()
    fault.commit(&model)
    let error = try #require(model.error())
    #expect(error.kind == fault.kind, "\(error)")
  }

  // MARK: What looks odd but is right

  @Test func namesEndAtTheirFirstZeroAndAreRepaired() throws {
    var model = HandMadeModel()
    model.tensors[0][3] = .string("in\0put")
    // A string written as bytes: 0xFF begins no character.
    model.tensors[1][3] = .bytes([0x61, 0xFF, 0x62])
    var bytes = model.bytes
    let end = try #require(bytes.firstRange(of: [0x61, 0xFF, 0x62])?.upperBound)
    bytes[end] = 1
    #expect(HandMadeModel.error(of: bytes) != nil)
    bytes[end] = 0
    let tensors = try ModelFile(ModelBytes(bytes)).subgraphs[0].tensors
    #expect(tensors[0].name == "in")
    #expect(tensors[1].name == "a\u{FFFD}b")
  }

  /// If a tensor has blockwise scales, its per-tensor scales are ignored, as in the official
  /// runtime.
  @Test func scalesBesideBlocksAreNone() throws {
    let blocks: FlatValue = .table([0: .int32(1), 1: .int32(-1), 2: .int32(2)])
    let beside: [FlatFields] = [
      [3: .int64s([.min])], [3: .int64s([.max])], [3: .int64s([0, 0, 0])], [:],
      [3: .int64s([0]), 6: .int32(.min)], [3: .int64s([0]), 6: .int32(7)],
    ]
    for fields in beside {
      var model = HandMadeModel()
      let table: FlatFields = [2: .floats([1]), 4: .uint8(2), 5: blocks]
      model.tensors[0][4] = .table(table.merging(fields) { $1 })
      let record = try model.file().subgraphs[0].tensors[0].quantization
      #expect(
        record
          == QuantizationRecord(
            blockwise: .init(scalesTensor: 1, zeroPointsTensor: -1, blockSize: 2)))
    }
  }

  /// Zero points in a reviewer's hostile models of twenty operators are 32-bit numbers once loaded.
  @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
  func zeroPointsOfManyBitsDoNoHarm() throws {
    let paths = SharedFiles.paths(in: "hostile/found", withExtension: "tflite")
      .filter { $0.contains("/zeropoint64.") }
    #expect(!paths.isEmpty)
    for path in paths {
      let tensors = try ModelFile(path: path).subgraphs.flatMap(\.tensors)
      for tensor in tensors {
        let record = tensor.quantization
        #expect(record?.zeroPoints.allSatisfy { Int32(exactly: $0) != nil } != false)
        #expect(record?.blockwise == nil || record?.scales.isEmpty == true)
      }
    }
  }

  @Test func codesAbove127AreInTheNewFieldOnly() throws {
    var model = HandMadeModel()
    model.codes = [
      [0: .int8(127), 3: .int32(150)], [0: .int8(19), 3: .int32(0)],
      [3: .int32(32), 1: .string("X")],
      [3: .int32(4242), 2: .int32(0)],
    ]
    let codes = try model.file().operatorCodes
    #expect(codes.map(\.name) == ["GELU", "RELU", "X", "BUILTIN_4242"])
    #expect(codes.map(\.version) == [1, 1, 1, 0])
  }

  @Test func bufferZeroIsNoBuffer() throws {
    var model = HandMadeModel()
    model.buffers[0] = model.buffers[1]
    #expect(try model.file().subgraphs[0].tensors[0].data == nil)
  }

  @Test func emptyConstantsAreConstants() throws {
    var model = HandMadeModel()
    model.buffers[1] = [0: .bytes([])]
    model.tensors[1][0] = .int32s([Int32(0)])
    #expect(try model.file().subgraphs[0].tensors[1].data?.count == 0)
  }

  @Test func constantsMayLieBehindTheFlatBuffer() throws {
    var model = HandMadeModel()
    // The offset is known once the file is written; another offset of the same size keeps its
    // length.
    model.buffers[1] = [1: .uint64(2), 2: .uint64(8)]
    let count = model.bytes.count
    model.buffers[1] = [1: .uint64(UInt64(count)), 2: .uint64(8)]
    let file = try ModelFile(ModelBytes(model.bytes + [1, 2, 3, 4, 5, 6, 7, 8]))
    #expect(file.subgraphs[0].tensors[1].data.map { Array($0) } == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(model.error()?.kind == .malformed)
  }

  @Test func customOptionsMayLieBehindTheFlatBuffer() throws {
    var model = HandMadeModel()
    model.codes = [[3: .int32(32), 1: .string("X")]]
    model.node[9] = .uint64(2)
    model.node[10] = .uint64(3)
    model.node[9] = .uint64(UInt64(model.bytes.count))
    let file = try ModelFile(ModelBytes(model.bytes + [7, 8, 9]))
    #expect(Array(file.subgraphs[0].operators[0].customOptions) == [7, 8, 9])
  }

  @Test func optionsOfAnotherSchemaAreLeftAlone() throws {
    var model = HandMadeModel()
    model.node[3] = .uint8(200)
    let options = try model.file().subgraphs[0].operators[0].options
    #expect(options.tag == 200 && options.table == nil)
  }

  @Test func packedTypesTakePartsOfBytes() {
    #expect(TensorType.int4.byteCount(shape: [3, 5]) == 8)
    #expect(TensorType.int2.byteCount(shape: [5]) == 2)
    #expect(TensorType.uint4.byteCount(shape: []) == 1)
    #expect(TensorType.complex128.byteCount(shape: [2, 0]) == 0)
    #expect(
      TensorType.int4.byteCount(shape: [Int(Int32.max), Int(Int32.max)]) == (1 << 61) - (1 << 31)
        + 1)
    #expect(TensorType.string.byteCount(shape: [1]) == nil)
    #expect(TensorType.float8E5M2.name == "float8_e5m2")
    #expect(TensorType(named: "bfloat16") == .bfloat16)
  }

  /// A small file whose operators all share one table with a long list of inputs is rejected.
  @Test func tablesAndElementsMayNotMultiply() throws {
    let count = 50_000
    var model = HandMadeModel()
    model.node[1] = .int32s([Int32](repeating: 0, count: count - 1))
    model.subgraph[3] = .tables(Array(repeating: [:], count: count - 1) + [model.node])
    var bytes = model.bytes
    let list = try #require(bytes.firstRange(of: Array(bytesOf: [UInt32(count)]))).upperBound
    let last = list + 4 * (count - 1)
    let target =
      last + Int(bytes.withUnsafeBytes { $0.load(fromByteOffset: last, as: UInt32.self) })
    for entry in stride(from: list, to: last, by: 4) {
      bytes.replaceSubrange(entry..<(entry + 4), with: Array(bytesOf: [UInt32(target - entry)]))
    }
    #expect(HandMadeModel.error(of: bytes)?.kind == .tooLarge)
  }
}
