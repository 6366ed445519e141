import OcellusAudit
import OcellusEngine
import OcellusImaging
import OcellusJSON
import OcellusVision

/// A picture in a report with what the model finds in it, as a detector or else as a labeler.
struct AuditedPicture {
  /// The length of a picture's longer side in the page.
  private static let side = 800
  private static let maximumAnswers = 20

  let picture: AuditReport.Picture

  init(_ path: String, options: PictureOptions, model: Model) throws {
    let image = try options.picture(path).image
    var shown = image
    var answers: JSONValue
    do throws(VisionError) {
      let detector = try ObjectDetector(
        model, options: .init(input: options.input, numerics: options.numerics))
      let ledger = try detector.ledger(for: image)
      do throws(ImageError) {
        shown = try image.annotated(with: ledger.detections)
      } catch {
        throw .image(error)
      }
      answers = Self.answers(ledger)
    } catch {
      answers = Self.labels(image, options, model, orElse: error)
    }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    picture = AuditReport.Picture(
      name: name, file: try Self.small(shown).encoded(as: .jpeg(quality: 80)), answers: answers)
  }

  private static func small(_ image: Image) throws(ImageError) -> Image {
    let (width, height) = (image.size.width, image.size.height)
    let longer = max(width, height)
    guard longer > side else { return image }
    return try image.resized(
      to: PixelSize(
        width: max(width * side / longer, 1), height: max(height * side / longer, 1)),
      using: .pillowBilinear)
  }

  private static func answers(_ ledger: DetectionLedger) -> JSONValue {
    [
      "detections": .array(
        ledger.detections.prefix(maximumAnswers).map { detection in
          let box = detection.box
          return [
            "label": .string(orNull: detection.categories.first?.label),
            "index": .integer(detection.categories.first?.index ?? 0),
            "score": .number(Double(detection.score)),
            "box": .array([box.left, box.top, box.right, box.bottom].map { .number($0) }),
          ]
        }),
      "ledger": .array(
        ledger.summary.map { ["reason": .string($0.reason), "count": .integer($0.count)] }),
    ]
  }

  private static func labels(
    _ image: Image, _ options: PictureOptions, _ model: Model, orElse detectorError: VisionError
  ) -> JSONValue {
    do throws(VisionError) {
      let labeler = try ImageLabeler(
        model, options: .init(maximumResults: 5, input: options.input))
      return [
        "categories": .array(
          try labeler.labels(in: image).map { category in
            [
              "label": .string(orNull: category.label), "index": .integer(category.index),
              "score": .number(Double(category.score)),
            ]
          })
      ]
    } catch {
      return ["error": .string("as a detector: \(detectorError); as a labeler: \(error)")]
    }
  }
}
