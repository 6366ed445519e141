import OcellusEngine
import OcellusImaging

/// Finds out which family of detectors a model belongs to, from its graph, names and shapes.
struct DecoderFinder {
  typealias Finding = (decoder: any DetectionDecoder, source: String)

  let facts: ModelFacts
  let inputSize: PixelSize
  /// The number of names that the labels have, which tells rows of classes apart.
  let labels: Labels?
  /// What the caller says about anchors.
  let anchors: AnchorSource?

  func find() throws(VisionError) -> Finding {
    if let (roles, source) = try OutputRoles(facts: facts).find() {
      return (postProcessed(roles), source)
    }
    var findings: [Finding] = []
    for rule in [finishedRows, rows, maps, heatMap] { findings += try rule() }
    findings += try anchorBoxes()
    if let only = findings.first, findings.count == 1 { return only }
    guard findings.isEmpty else {
      let families = findings.map(\.decoder.summary).joined(separator: ", ")
      throw .ambiguous("the outputs \(shapes) could be those of: \(families); give the decoder")
    }
    throw .mismatched(
      """
      the outputs \(shapes) are those of no detector known here: SSD (boxes, classes, scores, count; \
      or [1, n, 4] and [1, n, classes] with anchors), YOLO v5 or YOLOX [1, n, 5 + classes], v8 \
      [1, 4 + classes, n], YOLO maps [1, rows, columns, anchors x (5 + classes)] with anchors, FOMO \
      [1, rows, columns, 1 + classes], finished rows of 6 or 7 columns; give a decoder of your own
      """)
  }

  private var shapes: String {
    facts.outputs.map { "'\($0.name)' \($0.shape)" }.joined(separator: ", ")
  }

  private func shape(_ output: Int) -> [Int] { facts.outputs[output].shape.dimensions }

  // MARK: The families

  private func postProcessed(_ roles: PostProcessedDecoder.Roles) -> any DetectionDecoder {
    let node = facts.graph.nodes.first { $0.spec.index == facts.origins[roles.boxes].node }
    let operation = node?.operation as? DetectionPostProcess
    return PostProcessedDecoder(
      roles: roles, layout: facts.boxLayout(ofOutput: roles.boxes, inputSize: inputSize),
      categoryCount: operation?.categoryCount, maximumResults: operation?.maximumResults)
  }

  private func finishedRows() throws(VisionError) -> [Finding] {
    guard facts.outputs.count == 1 else { return [] }
    let extents = shape(0).drop { $0 == 1 }
    switch extents.count == 2 ? extents.last : nil {
    case 6: return [(FinishedRowsDecoder.sixColumns(inputSize: inputSize), "the outputs' shapes")]
    case 7: return [(FinishedRowsDecoder.sevenColumns(inputSize: inputSize), "the outputs' shapes")]
    default: return []
    }
  }

  private func rows() throws(VisionError) -> [Finding] {
    guard facts.outputs.count == 1, shape(0).count == 3, shape(0)[0] == 1 else { return [] }
    let cells = [8, 16, 32].reduce(0) {
      $0 + (inputSize.width / $1) * (inputSize.height / $1)
    }
    let (first, last) = (shape(0)[1], shape(0)[2])
    let source = "the outputs' shapes"
    func decoder(_ family: YOLORowsDecoder.Family, transposed: Bool, _ classes: Int) -> [Finding] {
      guard classes >= 1 else { return [] }
      return [
        (
          YOLORowsDecoder(
            family: family, isTransposed: transposed, inputSize: inputSize, classes: classes),
          source
        )
      ]
    }
    if last == cells { return decoder(.v8, transposed: true, first - 4) }
    if first == 3 * cells { return decoder(.v5, transposed: false, last - 5) }
    guard first == cells else { return [] }
    // Rows of v8's have one number less than YOLOX's; only the labels can tell.
    return labels?.count == last - 4
      ? decoder(.v8, transposed: false, last - 4) : decoder(.yolox, transposed: false, last - 5)
  }

  private func maps() throws(VisionError) -> [Finding] {
    guard case .sizes(let sizes)? = anchors,
      facts.outputs.indices.allSatisfy({ shape($0).count == 4 && shape($0)[0] == 1 }),
      sizes.count % facts.outputs.count == 0
    else { return [] }
    let perMap = sizes.count / facts.outputs.count
    let channels = shape(0)[3]
    guard perMap > 0, channels % perMap == 0, channels / perMap > 5,
      facts.outputs.indices.allSatisfy({ shape($0)[3] == channels })
    else { return [] }
    // Anchors are listed from small to large; small ones belong to the map with the most cells.
    let finestFirst = facts.outputs.indices.sorted {
      (shape($1)[1] * shape($1)[2], $0) < (shape($0)[1] * shape($0)[2], $1)
    }
    let maps = finestFirst.enumerated().map { position, output in
      YOLOMapDecoder.Map(
        output: output,
        anchors: sizes[position * perMap..<(position + 1) * perMap].map {
          Anchor(
            x: 0, y: 0, width: Float($0.x) / Float(inputSize.width),
            height: Float($0.y) / Float(inputSize.height))
        })
    }
    let decoder = YOLOMapDecoder(
      maps: maps, classes: channels / perMap - 5, classesAreExclusive: maps.count == 1)
    return [(decoder, "the anchors given")]
  }

  private func heatMap() throws(VisionError) -> [Finding] {
    guard anchors == nil, facts.outputs.count == 1, shape(0).count == 4, shape(0)[0] == 1,
      shape(0)[3] >= 2, shape(0)[1] <= inputSize.height / 4, facts.origins[0].isProbability
    else { return [] }
    return [(CentroidDecoder(categoryCount: shape(0)[3] - 1), "the outputs' shapes")]
  }
}
