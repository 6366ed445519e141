import Foundation
import MLKit
import OcellusTestSupport
import Testing

@Suite struct ImageLabelerTests {
  private let models: SyntheticModelFiles
  private let image = VisionImage(
    image: Image(uninitialized: .rgb8, size: PixelSize(width: 40, height: 20)))

  init() throws { models = try SyntheticModelFiles() }

  private func texts(_ options: CommonImageLabelerOptions) throws -> [String] {
    try ImageLabeler.imageLabeler(options: options, baseModel: LocalModel(path: models.labeler))
      .results(in: image).map(\.text)
  }

  @Test func baseLabelsHaveHalfTheConfidence() throws {
    let options = ImageLabelerOptions()
    #expect(try texts(options) == [])
    options.confidenceThreshold = 0.3
    #expect(try texts(options) == ["tulip"])
    options.confidenceThreshold = 7
    #expect(try texts(options) == [])
  }

  @Test func customLabels() throws {
    let options = CustomImageLabelerOptions(localModel: LocalModel(path: models.labeler))
    #expect(try texts(options) == ["tulip", "daisy", "rose"])
    options.maxResultCount = 1
    #expect(try texts(options) == ["tulip"])
    options.maxResultCount = -1
    options.confidenceThreshold = 0.28
    #expect(try texts(options) == ["tulip", "daisy"])
  }

  @Test func manifestsNameModelAndLabels() throws {
    let model = try #require(LocalModel(manifestPath: models.manifest))
    #expect(model.path == models.labeler)
    #expect(model.manifestPath == models.manifest)
    #expect(try texts(CustomImageLabelerOptions(localModel: model)).first == "tulip")
    #expect(LocalModel(manifestPath: models.labeler) == nil)
    #expect(LocalModel(manifestPath: "/no/manifest.json") == nil)
  }

  @Test func completionsBringLabelsOrErrors() async {
    func process(_ path: String) async -> (texts: [String]?, failed: Bool) {
      let options = CustomImageLabelerOptions(localModel: LocalModel(path: path))
      let labeler = ImageLabeler.imageLabeler(options: options)
      return await withCheckedContinuation { continuation in
        labeler.process(image) { labels, error in
          continuation.resume(returning: (labels?.map(\.text), error != nil))
        }
      }
    }
    let good = await process(models.labeler)
    #expect(good.texts == ["tulip", "daisy", "rose"])
    #expect(!good.failed)
    let bad = await process("/no/such/file")
    #expect(bad.texts == nil)
    #expect(bad.failed)
  }
}
