import Foundation
import OcellusImaging
import OcellusModelFile
import OcellusTestSupport
import OcellusVision
import Testing

@Suite struct ImageEmbedderTests {
  private func embedder(
    _ output: SyntheticNetwork.Output, named name: String = "output", number: Int? = nil
  ) throws -> ImageEmbedder {
    try ImageEmbedder(
      SyntheticNetwork(input: [1, 32, 32, 3], type: .uint8, [(name, output)]).model(),
      options: .init(output: number))
  }

  @Test func numbersAsTheModelGivesThem() throws {
    let embedder = try embedder(.linear([1, 3], [3, 0, -4]))
    let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 5, height: 4))
    let embedding = try embedder.embedding(of: picture)
    #expect(embedding.values == [3, 0, -4])
    #expect(embedding.normalized.values == [0.6, 0, -0.8])
    #expect(embedder.dimensionCount == 3)
  }

  @Test func similarityIsACosine() {
    let one = Embedding([1, 0])
    #expect(one.similarity(to: Embedding([5, 0])) == 1)
    #expect(one.similarity(to: Embedding([0, 2])) == 0)
    #expect(one.similarity(to: Embedding([-1, 0])) == -1)
    #expect(one.similarity(to: Embedding([0, 0])) == nil)
    #expect(one.similarity(to: Embedding([1])) == nil)
  }

  @Test func whatNothingSaysIsWarnedOf() throws {
    let numbers = SyntheticNetwork.Output.linear([1, 4], [0, 1, 2, 3])
    #expect(try embedder(numbers).explanation.warnings.count == 1)
    #expect(try embedder(numbers, named: "face_embedding").explanation.warnings.isEmpty)
    #expect(try embedder(numbers, number: 0).explanation.warnings.isEmpty)
  }

  @Test func landmarksAreRefusedUnlessTheCallerSaysOtherwise() throws {
    let landmarks = SyntheticNetwork.Output.linear([1, 136], [Float](repeating: 1, count: 136))
    let error = #expect(throws: VisionError.self) { try embedder(landmarks) }
    #expect(error?.description.contains("try `pose`") == true)
    #expect(error?.description.contains("--output 0") == true)
    #expect(try embedder(landmarks, number: 0).dimensionCount == 136)
  }

  @Test func classifiersAndNumbersAreRefused() throws {
    let error = #expect(throws: VisionError.self) { try embedder(.softmax([1, 3], [0, 1, 2])) }
    #expect(try #require(error).description.contains("try `label`"))
    #expect(throws: VisionError.self) { try embedder(.linear([1, 1], [0])) }
    #expect(throws: VisionError.self) {
      try embedder(.linear([1, 2, 2, 1], [0, 0, 0, 0]))
    }
  }
}

/// Cosines equal those of the official runtime's embeddings, on pictures that Pillow resized.
@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.missing)"))
struct ZooEmbedderTests {
  @Test func likenessIsThatOfTheOfficialRuntime() throws {
    let zoo = SharedFiles.folder.path + "/zoo"
    let embedder = try ImageEmbedder(
      path: "\(zoo)/models/mobilenet_v2_035_96_embedder_with_metadata.tflite")
    let embeddings = try ["darknet_dog", "fox", "burger"].map { name in
      try embedder.embedding(of: Image(contentsOf: "\(zoo)/images/photos/\(name).jpg"))
    }
    let expected: [(first: Int, second: Int, cosine: Double)] = [
      (1, 0, 0.366289), (2, 0, 0.245200), (2, 1, 0.349177),
    ]
    for (first, second, cosine) in expected {
      let found = try #require(embeddings[first].similarity(to: embeddings[second]))
      #expect(abs(found - cosine) < 1e-4)
    }
    #expect(abs(embeddings[1].values[0] - 2.2592103) < 1e-3)
    #expect(embeddings[0].values.firstIndex(of: embeddings[0].values.max() ?? 0) == 828)
  }

  /// The embedding of a byte model (here a classifier's raw scores) consists of real numbers, not
  /// bytes.
  @Test func quantizedNumbersAreTheRealOnes() throws {
    let zoo = SharedFiles.folder.path + "/zoo"
    let embedder = try ImageEmbedder(
      path: "\(zoo)/models/ml_fastvit_food101_224.tflite", options: .init(output: 0))
    let embeddings = try ["darknet_dog", "fox", "burger"].map { name in
      try embedder.embedding(of: Image(contentsOf: "\(zoo)/images/photos/\(name).jpg"))
    }
    for (first, second, cosine) in [(1, 0, 0.842101), (2, 0, 0.773167), (2, 1, 0.761715)] {
      let found = try #require(embeddings[first].similarity(to: embeddings[second]))
      #expect(abs(found - cosine) < 1e-6)
    }
    #expect(abs(embeddings[1].values[0] + 0.3014538) < 1e-6)
    #expect(embeddings[0].values.firstIndex(of: embeddings[0].values.max() ?? 0) == 16)
  }
}
