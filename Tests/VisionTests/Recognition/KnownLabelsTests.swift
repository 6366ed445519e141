import OcellusImaging
import OcellusModelFile
import OcellusTestSupport
import OcellusVision
import Testing

/// The class names of well-known data sets, for models that have none.
@Suite struct KnownLabelsTests: FamilyChecks {
  /// Returns a detector with YOLO v8's columns of this many classes.
  private func detector(classes: Int, labels: Labels? = nil) throws -> ObjectDetector {
    let boxes = [Float](repeating: 16, count: 4 * 21)
    let scores = [Float](repeating: -9, count: classes * 21)
    return try detector(
      [
        (
          "output",
          .joined([.constant([1, 4, 21], boxes), .sigmoid([1, classes, 21], scores)], axis: 1)
        )
      ],
      labels: labels)
  }

  @Test(arguments: [
    (80, ["person", "toothbrush"], "COCO"), (20, ["aeroplane", "tvmonitor"], "PASCAL VOC"),
    (601, ["Accordion", "Zucchini"], "Open Images"), (90, ["person", "toothbrush"], "COCO"),
  ])
  func detectorsOfKnownNumbers(classes: Int, ends: [String], dataSet: String) throws {
    let detector = try detector(classes: classes)
    #expect(detector.labels.count == classes)
    #expect([detector.labels[0], detector.labels[classes - 1]] == ends)
    #expect(detector.explanation.description.contains("those of \(dataSet)"))
    #expect(detector.explanation.description.contains("--labels"))
    #expect(detector.explanation.warnings.isEmpty)
  }

  /// COCO's numbers run from 1 to 90, with gaps.
  @Test func numbersOfCOCOHaveGaps() throws {
    let labels = try detector(classes: 91).labels
    #expect(labels[0] == nil && labels[1] == "person" && labels[12] == nil)
    #expect(labels[13] == "stop sign" && labels[72] == "tv" && labels[90] == "toothbrush")
    #expect(Set(labels.names.compactMap(\.self)).count == 80)
    #expect(try detector(classes: 90).labels[71] == "tv")
  }

  @Test func namesThatAreGivenTakePrecedence() throws {
    let names = (0..<80).map { "thing \($0)" }
    #expect(try detector(classes: 80, labels: Labels(names)).labels[0] == "thing 0")
  }

  @Test func otherNumbersAskForNames() throws {
    let detector = try detector(classes: 3)
    #expect(detector.labels.count == 0)
    #expect(detector.explanation.warnings.contains { $0.contains("--labels FILE") })
    #expect(try self.detector(classes: 1).explanation.warnings.isEmpty, "one class needs no name")
  }

  @Test(arguments: [(1000, 0), (1001, 1)])
  func classifiersOfImageNet(classes: Int, first: Int) throws {
    let network = SyntheticNetwork(
      input: [1, 32, 32, 3], type: .uint8,
      [("scores", .softmax([1, classes], [Float](repeating: 0, count: classes)))])
    let labels = try ImageLabeler(network.model()).labels
    #expect(labels[first] == "tench" && labels[first + 999] == "toilet tissue")
    #expect(labels[first + 281] == "tabby" && labels[first + 207] == "golden retriever")
    #expect(first == 0 || labels[0] == "background")
  }

  @Test func segmentationOfVOC() throws {
    let network = SyntheticNetwork(
      input: [1, 32, 32, 3], type: .uint8,
      [("map", .softmax([1, 32, 32, 21], [Float](repeating: 0, count: 32 * 32 * 21)))])
    let segmenter = try ImageSegmenter(network.model())
    #expect(segmenter.background == 0)
    #expect(segmenter.labels[8] == "cat" && segmenter.labels[15] == "person")
  }
}
