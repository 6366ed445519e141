import OcellusEngine
import OcellusImaging
import OcellusModelFile
import OcellusTestSupport
import OcellusVision
import Testing

/// The advice in refusals and warnings: a command that it names is another one, and takes the model.
@Suite struct HintTests {
  typealias Output = SyntheticNetwork.Output

  private static func zeros(_ shape: [Int], _ ending: (([Int], [Float]) -> Output)? = nil) -> Output
  {
    let values = [Float](repeating: 0, count: shape.reduce(1, *))
    return ending?(shape, values) ?? .linear(shape, values)
  }

  private static func outputs(_ list: [([Int], String)]) -> [(name: String, output: Output)] {
    list.enumerated().map { index, item in
      let (shape, kind) = item
      let words = kind.split(separator: " ").map(String.init)
      let name = words.count > 1 ? words[1] : "output\(index)"
      switch words[0] {
      case "sigmoid": return (name, zeros(shape) { .sigmoid($0, $1) })
      case "softmax": return (name, zeros(shape) { .softmax($0, $1) })
      case "constant": return (name, zeros(shape) { .constant($0, $1) })
      default: return (name, zeros(shape))
      }
    }
  }

  /// Layouts of the outputs of networks for 64 by 64 pixels, of all tasks and of none.
  static let layouts: [[([Int], String)]] = [
    // YOLO's rows, finished boxes, and heads in several outputs.
    [([1, 84, 84], "sigmoid")], [([1, 252, 85], "sigmoid")], [([1, 300, 6], "constant")],
    [
      ([1, 80, 84], "sigmoid"), ([1, 16, 16, 32], "linear"), ([1, 4, 84], "constant"),
      ([1, 32, 84], "linear"),
    ],
    [([1, 116, 84], "linear"), ([1, 16, 16, 32], "linear")],
    [([1, 84, 4], "constant"), ([1, 84], "sigmoid"), ([1, 84], "constant")],
    [([1, 8, 8, 144], "linear"), ([1, 4, 4, 144], "linear"), ([1, 2, 2, 144], "linear")],
    [([1, 8, 8, 255], "linear"), ([1, 4, 4, 255], "linear"), ([1, 2, 2, 255], "linear")],
    [([1, 4, 4, 425], "linear")],
    // Anchors, with and without their number being known.
    [([1, 77, 4], "linear"), ([1, 77, 3], "sigmoid")],
    [([1, 99, 2], "softmax"), ([1, 99, 4], "linear"), ([1, 99, 4], "constant")],
    // Centres of objects.
    [
      ([1, 16, 16, 2], "linear"), ([1, 16, 16, 10], "linear"), ([1, 16, 16, 1], "sigmoid"),
      ([1, 16, 16, 2], "linear"),
    ],
    [([1, 8, 8, 3], "softmax")], [([1, 8, 8, 3], "linear")],
    // OpenPose's maps, heat maps with offsets, and heat maps that look like anything.
    [([1, 8, 8, 57], "linear Openpose/concat")], [([1, 8, 8, 57], "linear")],
    [([1, 8, 8, 17], "sigmoid"), ([1, 8, 8, 34], "linear")],
    [([1, 8, 8, 19], "linear"), ([1, 8, 8, 38], "linear"), ([1, 8, 8, 5], "linear")],
    [([1, 16, 16, 13], "linear")],
    // Heads of detectors without their anchors.
    [([1, 4, 4, 7], "linear text_detector/rpn")],
    [([1, 2, 2, 2], "softmax"), ([1, 2, 2, 4], "linear")],
    [
      ([1, 8, 8, 1], "linear heatmap"), ([1, 8, 8, 4], "linear bbox"),
      ([1, 8, 8, 10], "linear landmark"),
    ],
    // Masks and pictures.
    [([1, 64, 64, 1], "sigmoid")], [([1, 64, 64, 21], "softmax")], [([1, 64, 64, 3], "linear")],
    [([1, 64, 64, 3], "sigmoid")], [([1, 128, 128, 3], "linear")], [([1, 64, 64, 2], "linear")],
    [([1, 64, 64, 1], "linear"), ([1, 64, 64, 1], "linear")], [([1, 4096], "sigmoid")],
    // MediaPipe's pose landmarks with their mask and heat maps, other points.
    [
      ([1, 195], "linear"), ([1, 1], "sigmoid"), ([1, 64, 64, 1], "linear"),
      ([1, 16, 16, 39], "linear"), ([1, 117], "linear"),
    ],
    [([1, 63], "linear"), ([1, 1], "sigmoid"), ([1, 1], "sigmoid"), ([1, 63], "linear")],
    [([1, 1, 17, 3], "linear")], [([1, 68, 2], "linear")], [([1, 136], "linear")],
    [([1, 6, 56], "linear")],
    // Classes, embeddings, numbers.
    [([1, 5], "softmax")], [([1, 5], "linear")], [([1, 128], "linear")], [([1, 1], "linear")],
    [([1, 1], "sigmoid")], [([1, 5], "linear"), ([1, 7], "linear")],
    [([1, 2], "softmax"), ([1, 4], "linear")], [([1, 3, 5], "linear")],
    [([1, 2], "softmax"), ([1, 4], "linear"), ([1, 10], "linear")],
    [([1, 7, 7, 1280], "linear")], [([1, 20, 96], "softmax")],
  ]

  private static let commands: [(name: String, open: @Sendable (Model) throws -> Explanation)] = [
    ("detect", { try ObjectDetector($0).explanation }),
    ("label", { try ImageLabeler($0).explanation }),
    ("segment", { try ImageSegmenter($0).explanation }),
    ("pose", { try PoseFinder($0).explanation }),
    ("embed", { try ImageEmbedder($0).explanation }),
  ]

  /// Returns what a command says about a model: its error, or its warnings.
  private static func answer(
    _ command: (name: String, open: @Sendable (Model) throws -> Explanation), _ model: Model
  ) throws -> (text: String, isRefusal: Bool) {
    do {
      return (try command.open(model).warnings.joined(separator: "\n"), false)
    } catch let error as VisionError {
      return (error.description, true)
    }
  }

  @Test(arguments: layouts.indices) func noHintLeadsBack(layout: Int) throws {
    let model = try SyntheticNetwork(
      input: [1, 64, 64, 3], type: .uint8, Self.outputs(Self.layouts[layout])
    ).model()
    let answers = try Self.commands.map { try Self.answer($0, model) }
    for (command, answer) in zip(Self.commands, answers) {
      for (other, isRefusal) in zip(Self.commands, answers.map(\.isRefusal))
      where answer.text.contains("`\(other.name)`") {
        #expect(other.name != command.name, "\(command.name): \(answer.text)")
        #expect(!isRefusal, "\(command.name) names \(other.name): \(answer.text)")
      }
    }
  }

  /// A float input whose values nothing tells: the hint says that the command will ask for them.
  @Test func hintsSayWhichOptionIsNeeded() throws {
    let model = try SyntheticNetwork(
      input: [1, 64, 64, 3], Self.outputs([([1, 64, 64, 21], "softmax")])
    ).model()
    let text = try Self.answer(Self.commands[0], model).text
    #expect(text.contains("try `segment`") && text.contains("--values"), "\(text)")
  }

  /// MediaPipe's landmarks are trained on 0…1, so that a float input is no question.
  @Test func mediaPipesLandmarksNeedNoRange() throws {
    let model = try SyntheticNetwork(
      input: [1, 64, 64, 3],
      Self.outputs([
        ([1, 195], "linear"), ([1, 1], "sigmoid"), ([1, 64, 64, 1], "linear"),
        ([1, 16, 16, 39], "linear"), ([1, 117], "linear"),
      ])
    ).model()
    let finder = try PoseFinder(model)
    #expect(finder.pointCount == 39)
    #expect(finder.input.tensor.normalization == .unit)
    for command in Self.commands where command.name != "pose" {
      #expect(try Self.answer(command, model).text.contains("try `pose`"), "\(command.name)")
    }
  }

  /// The end of the fast style transfer networks: a picture, not three classes.
  @Test func scaledHyperbolicTangentsArePictures() throws {
    let count = 64 * 64 * 3
    let model = try SyntheticNetwork(
      input: [1, 64, 64, 3], type: .uint8,
      [
        (
          name: "picture",
          output: .shifted(.tanh([1, 64, 64, 3], [Float](repeating: 0, count: count)), by: 127.5)
        )
      ]
    ).model()
    for command in Self.commands {
      let text = try Self.answer(command, model).text
      #expect(text.contains("a picture of a picture"), "\(command.name): \(text)")
    }
  }
}
