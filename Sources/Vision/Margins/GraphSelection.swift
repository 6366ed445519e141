import OcellusEngine
import OcellusModelFile

/// Decodes the operands of `TFLite_Detection_PostProcess`, of which candidates the graph selects.
struct GraphSelection: CornerDecoder {
  /// The name of the operator.
  static let operatorName = "TFLite_Detection_PostProcess"

  private let anchors: AnchorDecoder
  /// Whether boxes are selected for each class by itself.
  let isByClass: Bool
  let overlap: Double
  let graphThreshold: Float
  let maximumCount: Int
  /// The most objects of one class.
  let maximumOfClass: Int

  var summary: String { anchors.summary }
  var suppression: Suppression {
    isByClass ? .perCategory(overlap: overlap) : .agnostic(overlap: overlap)
  }
  var picksBestClass: Bool { !isByClass }
  var isInGraph: Bool { true }

  /// Creates the decoder of a node; `nil` if its options are ones that are not covered.
  init?(_ node: OperatorRecord, of model: Model) {
    let graph = model.file.subgraphs[0]
    guard node.inputs.count == 3, node.inputs.allSatisfy({ $0 >= 0 }),
      let options = try? FlexValue(decoding: node.customOptions)
    else { return nil }
    func number(_ name: String) -> Float { Float(options[name].number) }
    func integer(_ name: String) -> Int { Int(Int32(clamping: options[name].integer)) }
    let scores = graph.tensors[node.inputs[1]].shape
    let classes = integer("num_classes")
    isByClass = options["use_regular_nms"].boolean
    guard let columns = scores.last, (0...1).contains(columns - classes),
      number("x_scale") == number("y_scale"), number("w_scale") == number("h_scale"),
      number("x_scale") > 0, number("w_scale") > 0,
      isByClass || integer("max_classes_per_detection") == 1,
      let numbers = Self.reals(graph.tensors[node.inputs[2]])
    else { return nil }
    let anchors = stride(from: 0, to: numbers.count - 3, by: 4).map {
      Anchor(
        x: numbers[$0 + 1], y: numbers[$0], width: numbers[$0 + 3], height: numbers[$0 + 2])
    }
    self.anchors = AnchorDecoder(
      boxOutputs: [0], scoreOutputs: [1], anchors: anchors,
      encoding: .logarithmic(
        center: number("x_scale"), size: number("w_scale"), rowsFirst: true),
      activation: .none, hasBackground: columns > classes)
    overlap = options["nms_iou_threshold"].number
    graphThreshold = number("nms_score_threshold")
    maximumCount = integer("max_detections")
    maximumOfClass =
      !isByClass
      ? .max : options["detections_per_class"].isNull ? 100 : integer("detections_per_class")
  }

  /// Returns the numbers of a constant; `nil` if it is none, or of another type.
  private static func reals(_ tensor: TensorRecord) -> [Float]? {
    guard let data = tensor.data, let type = ElementType(tensor.type) else { return nil }
    switch type {
    case .float32:
      return (0..<data.count / 4).map {
        data.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self)
      }
    case .uint8:
      guard let quantization = Quantization(tensor.quantization), quantization.scales.count == 1
      else { return nil }
      return data.map { quantization.scale * Float(Int($0) - quantization.zeroPoint) }
    default: return nil
    }
  }

  func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let all = try anchors.candidates(in: outputs, threshold: threshold)
    guard picksBestClass else { return all }
    var best: [Candidate] = []
    for candidate in all {
      if let last = best.last, last.origin == candidate.origin {
        // The first of equal scores is the class that the graph takes.
        if candidate.score > last.score { best[best.count - 1] = candidate }
      } else {
        best.append(candidate)
      }
    }
    return best
  }

  func role(of element: Int, inOutput index: Int, _ output: OutputRange) -> ElementRole {
    anchors.role(of: element, inOutput: index, output)
  }

  func categories(of candidate: Candidate, in outputs: [OutputRange]) -> [Int] {
    guard picksBestClass, let row = candidate.origin?.index, let columns = outputs[1].shape.last
    else { return [candidate.category] }
    return outputs.best(of: (anchors.hasBackground ? 1 : 0)..<columns, inOutput: 1) {
      row * columns + $0
    }
  }
}
