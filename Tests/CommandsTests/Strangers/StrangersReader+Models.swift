import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import OcellusVision

@testable import OcellusCommands

extension StrangersReader {
  /// Models with long lists of packed files and of metadata about these files.
  static let models: [StrangersReader] = [
    StrangersReader(
      "models with files",
      patterns: [
        Pattern(description: "files that nobody describes") { model(files: $0 / 100, records: 0) },
        Pattern(description: "described files that are not there") {
          model(files: 0, records: $0 / 100)
        },
        Pattern(description: "other files than are described") {
          model(files: $0 / 200, records: $0 / 200)
        },
        Pattern(description: "many files of one name") {
          model(files: $0 / 200, records: $0 / 200, named: { _ in "labels.txt" })
        },
      ]
    ) { bytes in
      guard let model = try? Model(bytes: bytes) else { return }
      _ = MetadataReport(of: model.file).lines
      _ = try? ImageLabeler(model)
    },
    StrangersReader(
      "FlexBuffers",
      patterns: [
        Pattern(description: "a long vector") {
          FlexValue.vector(Array(repeating: .int(1), count: $0)).encoded
        },
        Pattern(description: "vectors in vectors") { count in
          (0..<count / 4).reduce(FlexValue.null) { value, _ in .vector([value]) }.encoded
        },
        Pattern(description: "empty vectors") {
          FlexValue.vector(Array(repeating: .vector([]), count: $0 / 4)).encoded
        },
        Pattern(description: "many keys") { count in
          FlexValue.map(Dictionary(uniqueKeysWithValues: (0..<count / 8).map { ("k\($0)", .null) }))
            .encoded
        },
        Pattern(description: "any bytes") { [UInt8](repeating: 40, count: $0) },
      ]
    ) { bytes in
      let owner = ModelBytes(bytes)
      _ = try? FlexValue(decoding: owner.buffer)
      withExtendedLifetime(owner) {}
    },
  ]

  /// Returns a labeler with a number of packed files, and metadata for a number of files.
  private static func model(
    files: Int, records: Int, named name: (Int) -> String = { "labels\($0).txt" }
  ) -> [UInt8] {
    let described = (0..<records).map { number -> FlatFields in
      [0: .string("x" + name(number)), 2: .int8(2)]
    }
    var writer = SyntheticLabeler.writer
    let output: FlatFields = [0: .string("scores"), 6: .tables(described)]
    writer.metadata = [
      .init(
        name: ModelMetadata.entryName,
        bytes: FlatBufferBuilder.file(
          identifier: "M001", root: [3: .tables([[3: .tables([output])]])]))
    ]
    return writer.bytes() + archive(of: (0..<files).map(name))
  }

  /// Returns a ZIP archive of empty files.
  private static func archive(of names: [String]) -> [UInt8] {
    var (files, directory): ([UInt8], [UInt8]) = ([], [])
    for name in names {
      let length = Array(bytesOf: [UInt16(name.utf8.count), 0])
      let facts = [UInt8](repeating: 0, count: 22)
      directory +=
        Array(bytesOf: [UInt32(0x0201_4B50), 0x14_0014]) + facts[..<20] + length
        + [UInt8](repeating: 0, count: 10) + Array(bytesOf: [UInt32(files.count)]) + name.utf8
      files += Array(bytesOf: [UInt32(0x0403_4B50)]) + facts + length + name.utf8
    }
    let count = UInt16(names.count)
    return files + directory + Array(bytesOf: [UInt32(0x0605_4B50), 0])
      + Array(bytesOf: [count, count])
      + Array(bytesOf: [UInt32(directory.count), UInt32(files.count)]) + [0, 0]
  }
}
