import Foundation
import OcellusModelFile

/// The synthetic detector and labeler as files with their labels, as programs ship models.
package struct SyntheticModelFiles {
  /// Finds "Food" in the upper left quarter with score 0.75, and the first label in the lower right
  /// one with 0.5.
  package let detector: String
  /// Returns "tulip", "daisy" and "rose", in this order.
  package let labeler: String
  /// The manifest of an AutoML export of the labeler.
  package let manifest: String

  private let directory: TemporaryDirectory

  /// The softmax of `SyntheticLabeler.scores`, best first: e^0.625 = 1.86825, e^0.25 = 1.28403 and
  /// e^0.125 = 1.13315, each divided by their sum.
  package static let confidences: [Float] = [0.43595, 0.29963, 0.26442]

  package init(firstLabel: String = "Plant") throws {
    directory = try TemporaryDirectory()
    detector = directory.path + "/detector.tflite"
    labeler = directory.path + "/labeler.tflite"
    manifest = directory.path + "/manifest.json"
    try write(Data(SyntheticDetector.writer().bytes()), "detector.tflite")
    try write(Data(SyntheticLabeler.writer.bytes()), "labeler.tflite")
    try write(Data("\(firstLabel)\nFood\nPlace\n".utf8), "detector.txt")
    try write(Data("rose\ntulip\ndaisy\n".utf8), "dict.txt")
    try write(Data("rose\ntulip\ndaisy\n".utf8), "labeler.txt")
    try write(
      Data(#"{"modelFile": "labeler.tflite", "labelsFile": "dict.txt",}"#.utf8), "manifest.json")
  }

  private func write(_ data: Data, _ name: String) throws {
    try data.write(to: URL(filePath: directory.path).appending(path: name))
  }
}
