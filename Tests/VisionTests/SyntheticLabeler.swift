import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import OcellusVision

/// A classifier that always says the same, whatever it is shown.
enum SyntheticLabeler {
  static let scores: [Float] = [0.125, 0.625, 0.25]

  static let writer = ModelWriter(subgraphs: [
    .init(
      tensors: [
        .init("picture", .uint8, [1, 4, 4, 3]),
        .init("scores", .float32, [1, 3], constant: .init(bytesOf: scores)),
      ],
      inputs: [0], outputs: [1], operators: [])
  ])

  static func model() throws -> Model { try Model(bytes: writer.bytes()) }

  static func labeler(_ options: ImageLabeler.Options = .init()) throws -> ImageLabeler {
    var options = options
    options.activation = options.activation ?? AnchorDecoder.Activation.none
    options.labels = options.labels ?? Labels(["rose", "tulip", "daisy"])
    return try ImageLabeler(model(), options: options)
  }
}
