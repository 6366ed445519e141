import OcellusModelFile

/// The options of detection post-processing, from a FlexBuffers map in the model.
struct DetectionOptions: Sendable {
  let maxDetections: Int
  let maxClassesPerDetection: Int
  let detectionsPerClass: Int
  /// Whether suppression runs per class instead of once for the best class of each box.
  let usesRegularSuppression: Bool
  let scoreThreshold: Float
  let overlapThreshold: Float
  let classCount: Int
  let yScale: Float
  let xScale: Float
  let heightScale: Float
  let widthScale: Float

  init(_ node: NodeSpec) throws(ModelError) {
    let map: FlexValue
    do { map = try FlexValue(decoding: node.customOptions) } catch {
      throw node.error("its options are broken: \(error.description)", .malformed)
    }
    func integer(_ key: String) -> Int { Int(Int32(clamping: map[key].integer)) }
    func float(_ key: String) -> Float { Float(map[key].number) }
    maxDetections = integer("max_detections")
    maxClassesPerDetection = integer("max_classes_per_detection")
    detectionsPerClass =
      map["detections_per_class"].isNull ? 100 : integer("detections_per_class")
    usesRegularSuppression = map["use_regular_nms"].boolean
    scoreThreshold = float("nms_score_threshold")
    overlapThreshold = float("nms_iou_threshold")
    classCount = integer("num_classes")
    yScale = float("y_scale")
    xScale = float("x_scale")
    heightScale = float("h_scale")
    widthScale = float("w_scale")

    try node.require(
      overlapThreshold > 0 && overlapThreshold <= 1,
      "nms_iou_threshold is \(overlapThreshold), must be above 0 and at most 1")
    try node.require(classCount > 0, "num_classes is \(classCount), must be positive")
    try node.require(maxDetections >= 0, "max_detections is negative")
    try node.require(maxClassesPerDetection > 0, "max_classes_per_detection is not positive")
    try node.require(
      !usesRegularSuppression || min(maxDetections, detectionsPerClass) > 0,
      "detections_per_class and max_detections must be positive")
  }
}
