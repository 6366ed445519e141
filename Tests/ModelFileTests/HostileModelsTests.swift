import OcellusModelFile
import OcellusTestSupport
import Testing

/// Reading any bytes ends with records or with an error, never with a trap.
@Suite struct HostileModelsTests {
  /// Models that together use every kind of table and field.
  static let models: [[UInt8]] = {
    var rich = ModelWriter.singleOperator(
      OperatorCodeRecord(builtinCode: BuiltinOperator.custom, customCode: "X"),
      reading: [
        .init(
          "a", .int8, [2, 3], constant: [1, 2, 3, 4, 5, 6],
          quantization: .init(scales: [1, 2], zeroPoints: [0, 1], minimum: [0], maximum: [1])),
        .init("strings", .string, [2], constant: packedStrings(["one", "two"])),
        .init(
          "sparse", .float32, [2, 2], constant: Array(bytesOf: [Float(1), 2]),
          sparsity: .init(
            traversalOrder: [0, 1], blockMap: [],
            dimensions: [
              .init(format: .dense, denseSize: 2),
              .init(format: .sparseCSR, arraySegments: [0, 1, 2], arrayIndices: [1, 0]),
            ])),
        .init(
          "b", .int4, [4, 32], shapeSignature: [-1, 32],
          quantization: .init(
            blockwise: .init(scalesTensor: 2, zeroPointsTensor: -1, blockSize: 32))),
      ],
      writing: [.init("c", .float32, [2])],
      customOptions: FlexValue.map(["k": .vector([.int(1), .float(2)])]).encoded)
    let branch = ModelWriter.Subgraph(
      name: "branch", tensors: [.init("x", .float32, [])], inputs: [0], outputs: [0], operators: [])
    rich.subgraphs[0].operators.append(
      .init(
        OperatorCodeRecord(builtinCode: 209), inputs: [3], outputs: [4],
        options2: .init(tag: BuiltinOptions2Tag.stablehloCase, [0: .int32s([1, 1] as [Int32])])))
    rich.subgraphs.append(branch)
    rich.signatures = [
      .init(key: "s", subgraphIndex: 0, inputs: [.init(name: "x", tensor: 3)], outputs: [])
    ]
    rich.metadata = [.init(name: ModelMetadata.entryName, bytes: ModelMetadataTests.bytes)]
    return [HandMadeModel().bytes, rich.bytes()]
  }()

  static func packedStrings(_ strings: [String]) -> [UInt8] {
    var offsets = [Int32(strings.count), Int32(4 * strings.count + 8)]
    for string in strings { offsets.append(offsets[offsets.count - 1] + Int32(string.utf8.count)) }
    return Array(bytesOf: offsets) + strings.flatMap(\.utf8)
  }

  /// Reads all records of a model and writes them again.
  private func exercise(_ bytes: [UInt8]) {
    let owner = ModelBytes(bytes)
    guard let file = try? ModelFile(owner) else { return }
    _ = try? file.authorMetadata()
    for subgraph in file.subgraphs {
      for tensor in subgraph.tensors {
        guard let data = tensor.data else { continue }
        _ = data.reduce(0, &+)
        guard tensor.type == .string, let strings = try? PackedStrings(validating: data) else {
          continue
        }
        for index in 0..<strings.count { _ = strings[index].reduce(0, &+) }
      }
      for node in subgraph.operators { _ = try? FlexValue(decoding: node.customOptions) }
    }
    _ = try? ModelWriter(copying: file).bytes()
    if let last = file.subgraphs[0].operators.indices.last {
      _ = try? ModelWriter.extracting(operator: last, ofSubgraph: 0, from: file)
    }
  }

  @Test func theModelsAreRight() throws {
    for bytes in Self.models {
      let file = try ModelFile(ModelBytes(bytes))
      for node in file.subgraphs[0].operators where !node.customOptions.isEmpty {
        #expect(try FlexValue(decoding: node.customOptions)["k"].integer == 2)
      }
    }
    #expect(try ModelFile(ModelBytes(Self.models[1])).authorMetadata() != nil)
  }

  @Test func prefixes() {
    for model in Self.models {
      for count in model.indices { exercise(Array(model.prefix(count))) }
    }
  }

  @Test func changedBytes() {
    for model in Self.models {
      for position in model.indices {
        for change in [UInt8(1), 128] {
          var bytes = model
          bytes[position] ^= change
          exercise(bytes)
        }
      }
    }
  }

  /// Replaces each word by values that are critical for offsets, lengths and sizes.
  @Test func changedWords() {
    let words: [UInt32] = [0x7FFF_FFFF, 0xFFFF_FFFF, 0x0001_0000]
    for model in Self.models {
      for position in stride(from: 0, to: model.count - 4, by: 4) {
        for word in words {
          var bytes = model
          bytes.replaceSubrange(position..<(position + 4), with: Array(bytesOf: [word]))
          exercise(bytes)
        }
      }
    }
  }

  @Test func splicedPieces() {
    var random = SeededGenerator(seed: 1)
    for model in Self.models {
      for _ in 0..<1000 {
        var bytes = model
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let count = 4 * Int.random(in: 1...16, using: &random)
          let source = 4 * Int.random(in: 0...((model.count - count) / 4), using: &random)
          let target = 4 * Int.random(in: 0...((model.count - count) / 4), using: &random)
          bytes.replaceSubrange(target..<(target + count), with: model[source..<(source + count)])
        }
        exercise(bytes)
      }
    }
  }

  @Test func realModelsChangedAtRandom() throws {
    var random = SeededGenerator(seed: 2)
    let corpus = try ConformanceCorpus()
    for name in corpus.names(of: "tflite") where Int.random(in: 0..<20, using: &random) == 0 {
      let model = try corpus.contents(of: name)
      guard !model.isEmpty else { continue }
      for _ in 0..<10 {
        var bytes = model
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let position = Int.random(in: bytes.indices, using: &random)
          bytes[position] = UInt8.random(in: 0...255, using: &random)
        }
        exercise(bytes)
      }
    }
  }
}
