import OcellusPlatform

/// The classes of well-known data sets, for models that have names nowhere: their number tells them.
struct KnownLabels {
  let labels: Labels
  /// The name of the data set.
  let dataSet: String

  /// Returns the classes of a detector with this many of them.
  ///
  /// Open Images is numbered in several ways, of which `isYOLO` chooses the alphabetical one.
  static func ofDetector(_ count: Int?, isYOLO: Bool) -> KnownLabels? {
    switch count {
    case 80: KnownLabels(labels: Labels(coco), dataSet: "COCO")
    case 90: KnownLabels(labels: Labels(numberedCOCO), dataSet: "COCO")
    // Numbers count from 1, and 0 is the background.
    case 91: KnownLabels(labels: Labels([nil] + numberedCOCO), dataSet: "COCO")
    case 20: KnownLabels(labels: Labels(voc), dataSet: "PASCAL VOC")
    case 21: KnownLabels(labels: Labels(["background"] + voc), dataSet: "PASCAL VOC")
    case 601 where isYOLO: KnownLabels(labels: Labels(openImages), dataSet: "Open Images")
    default: nil
    }
  }

  /// Returns the classes of a classifier with this many of them.
  static func ofLabeler(_ count: Int) -> KnownLabels? {
    switch count {
    case 1000: KnownLabels(labels: Labels(imageNet), dataSet: "ImageNet")
    case 1001: KnownLabels(labels: Labels(["background"] + imageNet), dataSet: "ImageNet")
    default: nil
    }
  }

  /// Returns the classes of a segmentation model with this many of them.
  static func ofSegmenter(_ count: Int?) -> KnownLabels? {
    count == 21 ? ofDetector(21, isYOLO: false) : nil
  }

  /// COCO's classes by number, less one.
  private static var numberedCOCO: [String?] {
    var names = coco[...]
    return (1...90).map { gapsInCOCO.contains($0) ? nil : names.popFirst() }
  }

  /// Divides a text at its commas.
  static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { String($0.trimmed) }
  }
}
