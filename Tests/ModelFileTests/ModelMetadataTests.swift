import Foundation
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct ModelMetadataTests {
  /// Metadata as bare tables, numbered as in metadata_schema.fbs.
  static let bytes: [UInt8] = {
    let labels: FlatFields = [
      0: .string("labels.txt"), 1: .string("names"), 2: .int8(2), 3: .string("en"),
      4: .string("v2"),
    ]
    let image: FlatFields = [
      0: .uint8(2),
      1: .table([0: .int8(1), 1: .table([0: .uint32(320), 1: .uint32(240)])]),
      2: .table([0: .int32(1), 1: .int32(3)]),
    ]
    let units: [FlatFields] = [
      [0: .uint8(1), 1: .table([0: .floats([127.5]), 1: .floats([128])])],
      [0: .uint8(2), 1: .table([0: .int8(2), 1: .float(-1)])],
      [0: .uint8(3), 1: .table([0: .float(0.25)])],
      [0: .uint8(4), 1: .table([0: .tables([labels])])],
      [0: .uint8(5), 1: .table([0: .tables([labels]), 1: .tables([])])],
      [0: .uint8(6), 1: .table([0: .string("[^\\w]+"), 1: .tables([labels])])],
      [0: .uint8(99), 1: .table([:])],
    ]
    let input: FlatFields = [
      0: .string("image"), 1: .string("a picture"), 3: .table(image), 4: .tables(units),
      5: .table([0: .floats([1]), 1: .floats([-1])]),
    ]
    let boxes: FlatFields = [
      0: .string("location"),
      3: .table([
        0: .uint8(3),
        1: .table([0: .uint32s([1, 0, 3, 2]), 1: .int8(1), 2: .int8(1)]),
      ]),
      6: .tables([labels]),
    ]
    let sound: FlatFields = [
      3: .table([0: .uint8(4), 1: .table([0: .uint32(16_000), 1: .uint32(1)])])
    ]
    let subgraph: FlatFields = [
      0: .string("main"), 2: .tables([input]), 3: .tables([boxes, sound]),
      9: .tables([[0: .string("extra"), 1: .bytes([1, 2])]]),
    ]
    return FlatBufferBuilder.file(
      identifier: "M001",
      root: [
        0: .string("Eye"), 1: .string("sees"), 2: .string("v1"), 3: .tables([subgraph]),
        4: .string("Ann"), 5: .string("MIT"), 7: .string("1.5.0"),
      ])
  }()

  private func decode(_ bytes: [UInt8]) throws(ModelFileError) -> ModelMetadata {
    let owner = ModelBytes(bytes)
    defer { withExtendedLifetime(owner) {} }
    return try ModelMetadata(decoding: owner.buffer)
  }

  @Test func everythingIsRead() throws {
    let metadata = try decode(Self.bytes)
    #expect(metadata.name == "Eye" && metadata.description == "sees" && metadata.version == "v1")
    #expect(metadata.author == "Ann" && metadata.license == "MIT")
    #expect(metadata.minimumParserVersion == "1.5.0")

    let labels = AssociatedFileRecord(
      name: "labels.txt", description: "names", kind: .tensorAxisLabels, locale: "en",
      version: "v2")
    let subgraph = metadata.subgraphs[0]
    #expect(subgraph.name == "main")
    #expect(subgraph.custom == [.init(name: "extra", bytes: [1, 2])])

    let image = subgraph.inputs[0]
    #expect(image.name == "image" && image.minimum == [-1] && image.maximum == [1])
    #expect(
      image.content?.properties
        == .image(colorSpace: .rgb, defaultSize: .init(width: 320, height: 240)))
    #expect(image.content?.dimensions == .init(first: 1, last: 3))
    #expect(
      image.processUnits == [
        .normalization(mean: [127.5], standardDeviation: [128]),
        .scoreCalibration(transformation: .inverseLogistic, defaultScore: -1),
        .scoreThresholding(0.25), .bertTokenizer(vocabulary: [labels]),
        .sentencePieceTokenizer(model: [labels], vocabulary: []),
        .regexTokenizer(delimiter: "[^\\w]+", vocabulary: [labels]), .unknown,
      ])

    #expect(subgraph.outputs[0].associatedFiles == [labels])
    #expect(
      subgraph.outputs[0].content?.properties
        == .boundingBox(index: [1, 0, 3, 2], kind: .boundaries, coordinates: .pixel))
    #expect(
      subgraph.outputs[1].content?.properties == .audio(sampleRate: 16_000, channels: 1))
  }

  @Test func tensorGroupsAreRead() throws {
    let group: FlatFields = [0: .string("detections"), 1: .strings(["boxes", "scores"])]
    let bytes = FlatBufferBuilder.file(
      identifier: "M001", root: [3: .tables([[8: .tables([group])]])])
    let groups = try decode(bytes).subgraphs[0].outputGroups
    #expect(groups == [.init(name: "detections", tensorNames: ["boxes", "scores"])])
  }

  @Test func modelsWithoutMetadataHaveNone() throws {
    #expect(try HandMadeModel().file().authorMetadata() == nil)
  }

  @Test func anotherSchemaIsRefused() {
    var bytes = Self.bytes
    bytes[7] = 0x32
    #expect(throws: ModelFileError.self) { try decode(bytes) }
  }

  /// Metadata of a TensorFlow Hub detector equals what its authors' tutorial shows.
  @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
  func realDetector() throws {
    let name = "zoo/models/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"
    let file = try ModelFile(path: SharedFiles.folder.appending(path: name).path)
    let metadata = try #require(try file.authorMetadata())
    #expect(metadata.name == "Coco SSD MobileNetV1" && metadata.author == "TensorFlow")
    let subgraph = try #require(metadata.subgraphs.first)
    #expect(
      subgraph.inputs[0].processUnits
        == [.normalization(mean: [127.5], standardDeviation: [127.5])])
    #expect(
      subgraph.outputs.map(\.name) == ["locations", "classes", "scores", "number of detections"])
    #expect(subgraph.outputs[1].associatedFiles.map(\.kind) == [.tensorValueLabels])

    let labels = try AssociatedFiles(in: file.bytes).contents(of: "labelmap.txt")
    let lines = String(decoding: try #require(labels), as: UTF8.self).split(separator: "\n")
    #expect(lines.first == "person" && lines.last == "toothbrush" && lines.count == 90)
  }
}
