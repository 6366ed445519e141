import Foundation
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct ExternalBuffersTests {
  /// Returns a model whose constant is the 8 bytes at offset 4 of an external file.
  private func model(file name: String, packing: String = "") -> HandMadeModel {
    var model = HandMadeModel()
    model.tensors[1][2] = .uint32(0)
    model.tensors[1][10] = .uint32(7)
    model.root[8] = .tables([[0: .string("unused")], [0: .string(name)]])
    model.root[9] = .tables([
      [0: .uint32(7), 1: .uint32(1), 2: .uint64(4), 3: .uint64(8), 4: .string(packing)]
    ])
    return model
  }

  private func folder(with bytes: [UInt8]) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    let inner = URL(filePath: folder.path).appending(path: "model/weights")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try Data(bytes).write(to: inner.appending(path: "w.bin"))
    try Data(bytes).write(to: URL(filePath: folder.path).appending(path: "outside.bin"))
    return folder
  }

  private func load(_ model: HandMadeModel, in folder: TemporaryDirectory) throws(ModelFileError)
    -> ModelFile
  {
    try ModelFile(
      ModelBytes(model.bytes), externalBuffers: .allow(folder: folder.path + "/model"))
  }

  @Test func dataIsReadFromTheFolder() throws {
    let folder = try folder(with: Array(0..<12))
    let file = try load(model(file: "weights/w.bin"), in: folder)
    #expect(file.subgraphs[0].tensors[1].data.map { Array($0) } == Array(4..<12))
  }

  @Test func nothingIsReadUnasked() throws {
    #expect(model(file: "weights/w.bin").error()?.kind == .unsupported)
  }

  @Test(arguments: [
    "/etc/passwd", "../outside.bin", "weights/../../outside.bin", "./weights/w.bin", "",
    "weights//w.bin", "weights", "weights/missing.bin", "link.bin", "linked/w.bin",
  ])
  func pathsThatLeaveTheFolderAreRefused(_ name: String) throws {
    let folder = try folder(with: Array(0..<12))
    for (link, target) in [("link.bin", "../outside.bin"), ("linked", "weights")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/model/\(link)", withDestinationPath: target)
    }
    #expect { try load(model(file: name), in: folder) } throws: {
      ($0 as? ModelFileError)?.kind == .unreadable
    }
  }

  @Test func dataInTwoPlacesIsRefused() throws {
    var model = model(file: "weights/w.bin")
    model.tensors[1][2] = .uint32(1)
    let folder = try folder(with: Array(0..<12))
    #expect { try load(model, in: folder) } throws: {
      ($0 as? ModelFileError)?.kind == .unsupported
    }
  }

  @Test func shortFilesAndUnknownPackingAreRefused() throws {
    let folder = try folder(with: Array(0..<11))
    #expect { try load(model(file: "weights/w.bin"), in: folder) } throws: {
      ($0 as? ModelFileError)?.kind == .malformed
    }
    #expect { try load(model(file: "weights/w.bin", packing: "x"), in: folder) } throws: {
      ($0 as? ModelFileError)?.kind == .unsupported
    }
  }

  @Test func unknownBuffersAreRefused() throws {
    let folder = try folder(with: Array(0..<12))
    var wrong = model(file: "weights/w.bin")
    wrong.tensors[1][10] = .uint32(8)
    #expect(throws: ModelFileError.self) { try load(wrong, in: folder) }
  }
}
