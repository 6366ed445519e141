import OcellusImaging
import OcellusJSON
import OcellusVision

/// `ocellus pose`: finds the keypoints of bodies, hands and faces in pictures.
struct PoseCommand: Command {
  private static let threshold = Option<Double?>.number(
    "threshold", "SCORE", in: 0...1,
    help: "Poses that score less are dropped, where the model gives scores. Default: 0.25.")
  private static let numbers = Option<Int?>.integer(
    "numbers", "N", in: 2...100,
    help: "How many numbers a point has in the model's list of points, x and y first.")

  static let definition = CommandDefinition(
    name: "pose", summary: "Find the points of bodies, hands and faces in pictures.",
    operand: PictureTask.operand,
    options: PictureOptions.definitions + [
      threshold.definition, numbers.definition, PictureTask.output.definition,
      PictureTask.annotation.definition,
    ] + PictureTask.definitions,
    discussion: """
      Points are in pixels of the upright picture. Models for one body, hand or face want to be shown a part \
      of the picture that it fills: --roi. There is no model of this kind in the package, so that -m has to \
      name one.

      \(PictureTask.promise)
      """,
    examples: [
      .init(
        arguments: "runner.jpg -m movenet.tflite --annotate joints.jpg",
        purpose: "See the joints of a body."),
      .init(
        arguments: "portrait.jpg -m face_landmark.tflite --roi 210,80,300,300 --json",
        purpose: "The landmarks of a face, for a program."),
    ])

  private let task: PictureTask
  private let modelPath: String
  private let scoreThreshold: Float
  private let numbersPerPoint: Int?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    task = try PictureTask(arguments, of: Self.definition)
    modelPath = try task.options.requiredModelPath(for: "poses")
    scoreThreshold = Float(try arguments[Self.threshold] ?? 0.25)
    numbersPerPoint = try arguments[Self.numbers]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let options = task.options
    return try task.run(
      in: context, model: ModelSource(modelPath), wholly: true,
      open: { source in
        let options = PoseFinder.Options(
          scoreThreshold: scoreThreshold, numbersPerPoint: numbersPerPoint, output: task.output,
          input: options.input, threads: options.threads, budget: options.budget,
          numerics: options.numerics)
        return try source.open(
          at: { try PoseFinder(path: $0, options: options) },
          or: { try PoseFinder($0, options: options) })
      },
      look: { finder, picture in
        let poses = try finder.poses(in: picture.image, region: task.region)
        let milliseconds = picture.milliseconds
        return PoseReport(
          path: picture.path, size: picture.size, poses: poses, milliseconds: milliseconds,
          annotatedPath: try picture.write { try $0.annotated(with: poses) },
          warnings: picture.warnings)
      })
  }
}

/// The keypoints found in a picture.
struct PoseReport: PictureReport {
  let path: String
  let size: PixelSize
  let poses: [Pose]
  let milliseconds: Double
  let annotatedPath: String?
  let warnings: [String]

  static let columns: [TextTable.Column] = [
    .right("subject"), .right("point"), .left("name"), .right("x"), .right("y"), .right("score"),
  ]

  var heading: String {
    let count = poses.count == 1 ? "1 subject" : "\(poses.count) subjects"
    let picture = annotatedPath.map { ", drawn in \($0)" } ?? ""
    return "\(path): \(size), \(count), \(milliseconds.fixed(1)) ms\(picture)"
  }

  var json: JSONObject {
    PictureDocument(path: path, size: size, milliseconds: milliseconds, warnings: warnings)
      .subjects(poses, annotatedPath: annotatedPath)
  }

  func rows(exactly: Bool) -> [[String]] {
    poses.enumerated().flatMap { subject, pose in
      pose.points.enumerated().map { index, point in
        let (x, y) = (point.position.x, point.position.y)
        return [
          "\(subject)", "\(index)", point.name ?? (exactly ? "" : "-"),
          exactly ? "\(x)" : x.fixed(1), exactly ? "\(y)" : y.fixed(1),
          point.score.map { exactly ? "\($0)" : Double($0).fixed(3) } ?? "",
        ]
      }
    }
  }
}
