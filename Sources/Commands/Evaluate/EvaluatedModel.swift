import OcellusEngine
import OcellusImaging
import OcellusVision

/// Runs a model on annotated pictures.
struct EvaluatedModel {
  let path: String
  let pictures: PictureOptions
  let objects: ObjectOptions
  let labeling: LabelOptions

  /// Adds the model's answers about each picture.
  ///
  /// A picture with an error is reported and counts as one without answers.
  ///
  /// - Returns: the number of pictures with errors.
  func answer(on sheet: inout Predictions, in context: CommandContext) throws -> Int {
    switch sheet.annotations.subject {
    case .objects:
      let objects = objects.wantingAll
      let recognizer = try objects.recognizer(.init(path), .init(mode: .singleImage))
      try sheet.check(AnsweredClasses(of: recognizer))
      let size = objects.needsWholePictures ? nil : recognizer.input.tensor.size.doubled
      return try forEachPicture(of: &sheet, size, context) { picture, sheet, pictureIndex in
        for detection in try recognizer.process(picture.image) {
          guard let category = detection.categories.first else { continue }
          sheet.add(
            CornerBox(picture.sourceBox(of: detection.box)), score: Double(detection.score),
            .named(category.label, index: category.index), at: pictureIndex)
        }
      }
    case .pictures:
      let labeler = try labeling.wantingAll.labeler(.init(path))
      try sheet.check(AnsweredClasses(of: labeler))
      return try forEachPicture(of: &sheet, labeler.input.tensor.size.doubled, context) {
        picture, sheet, pictureIndex in
        for category in try labeler.labels(in: picture.image) {
          sheet.add(.named(category.label, index: category.index), at: pictureIndex)
        }
      }
    }
  }

  private func forEachPicture(
    of sheet: inout Predictions, _ size: PixelSize?, _ context: CommandContext,
    _ body: (DecodedImage, inout Predictions, Int) throws -> Void
  ) throws -> Int {
    let progress = ProgressLine(in: context)
    defer { progress.clear() }
    var failures = 0
    let total = sheet.annotations.pictures.count
    for (pictureIndex, picture) in sheet.annotations.pictures.enumerated() {
      progress.show("\(pictureIndex) of \(total) pictures")
      do {
        let path = try sheet.annotations.path(of: picture)
        let minimumSize = pictures.numerics.areOfficial ? nil : size
        try body(try pictures.picture(path, minimumSize: minimumSize), &sheet, pictureIndex)
      } catch {
        progress.clear()
        context.complain(error, about: picture.name)
        failures += 1
      }
    }
    return failures
  }
}

extension ObjectOptions {
  /// The lowest score of useful detections; there are too many below it for suppression to be fast.
  private static let lowestScore: Float = 0.001
  /// The maximum number of detections per picture; the evaluation uses 100 per class.
  private static let maximumObjects = 300

  /// The options with which the detector returns everything that the evaluation uses.
  var wantingAll: ObjectOptions {
    var options = self
    options.detector.scoreThreshold = detector.scoreThreshold ?? Self.lowestScore
    options.detector.maximumResults = detector.maximumResults ?? Self.maximumObjects
    return options
  }
}

extension LabelOptions {
  /// The options with which the labeler returns all names.
  var wantingAll: LabelOptions {
    var options = self
    options.labeler.scoreThreshold = labeler.scoreThreshold ?? 0
    return options
  }
}
