import OcellusVision
import Testing

/// Measures equal pycocotools' figures, as `Benchmarks/peers/coco_evaluation.py --print` prints
/// them.
@Suite struct DetectionEvaluationTests {
  /// Picture, class, x, y, width, height, area and whether it is a crowd.
  private static let truth: [[Double]] = [
    [1, 0, 15, 71, 4, 5, 12.0, 0],
    [1, 1, 0, 140, 13, 148, 1924, 0],
    [1, 1, 303, 75, 1, 6, 6, 0],
    [1, 0, 303, 75, 1, 6, 6, 0],
    [1, 0, 199, 91, 34, 57, 1938, 0],
    [2, 1, 258, 24, 2, 8, 9.6, 0],
    [2, 1, 171, 190, 122, 17, 2074, 1],
    [2, 1, 164, 14, 41, 5, 123.0, 0],
    [2, 0, 170, 163, 2, 4, 4.8, 0],
    [2, 1, 170, 163, 2, 4, 4.8, 0],
    [2, 0, 258, 203, 8, 48, 384, 0],
    [2, 1, 240, 152, 4, 4, 16, 0],
    [0, 1, 61, 80, 137, 111, 15207, 0],
    [0, 1, 79, 206, 7, 2, 14, 0],
    [0, 1, 132, 124, 13, 17, 132.6, 0],
  ]

  /// Picture, class, x, y, width, height and score; many scores are equal.
  private static let found: [[Double]] = [
    [2, 1, 100, 151, 5, 1, 0.8],
    [0, 0, 184, 76, 3, 2, 0.2],
    [1, 0, 303, 75, 1, 6, 0.8],
    [2, 1, 258, 24, 1.5, 8, 0.0],
    [1, 0, 199, 91, 25.5, 57, 0.3],
    [2, 1, 258, 24, 2, 8, 0.3],
    [1, 0, 200, 21, 1, 4, 0.8],
    [1, 1, 22, 127, 15, 2, 0.1],
    [2, 1, 240, 152, 4, 2.6666666666666665, 0.4],
    [0, 1, 81.33333333333333, 206, 7, 2, 0.3],
    [1, 0, 182, 79, 1, 18, 0.2],
    [0, 1, 132, 124, 9.75, 17, 0.5],
    [2, 1, 71, 144, 1, 8, 0.3],
    [1, 1, 199, 91, 34, 38.0, 0.6],
    [0, 1, 61, 80, 68.5, 111, 0.5],
    [1, 1, 195, -9, 4, 4, 0.1],
    [1, 0, 277, 129, 37, 39, 0.5],
    [0, 0, 29, 89, 104, 88, 0.7],
    [2, 0, 279, 30, 60, 5, 0.2],
    [1, 0, 15, 71, 2.0, 5, 0.4],
    [2, 1, 170, 163, 1.0, 4, 0.9],
    [2, 0, 260.6666666666667, 203, 8, 48, 0.1],
    [1, 0, 300, 75, 1, 6, 0.2],
    [2, 0, 170, 163, 2, 2.6666666666666665, 0.4],
    [1, 0, 15, 71, 4, 5, 0.8],
    [1, 1, 172, 15, 2, 8, 0.4],
    [2, 1, 258, 24, 1.5, 8, 0.2],
    [2, 1, 164, 14, 41, 5, 0.9],
  ]

  /// The twelve figures in pycocotools' order.
  private static let figures: [Double] = [
    0.30575907590759077, 0.5734323432343235, 0.2749174917491749, 0.36084983498349826,
    0.09999999999999999, 0.09999999999999999, 0.17888888888888893, 0.4833333333333332,
    0.4833333333333332, 0.5285714285714287, 0.3, 0.1,
  ]

  /// The average precision of each class, from 0.5 to 0.95 and at 0.5; -1 for a class without
  /// objects.
  private static let classFigures: [[Double]] = [
    [0.4339933993399339, 0.5379537953795379], [0.17752475247524754, 0.608910891089109],
  ]

  private func evaluation() -> DetectionEvaluation {
    var evaluation = DetectionEvaluation(categoryCount: Self.classFigures.count)
    let pictures = Int(Self.truth.map { $0[0] }.max() ?? 0)
    for picture in 0...pictures {
      evaluation.add(
        truth: Self.truth.filter { Int($0[0]) == picture }.map { row in
          AnnotatedObject(
            category: Int(row[1]), box: box(row), area: row[6], kind: row[7] == 1 ? .crowd : .object
          )
        },
        found: Self.found.filter { Int($0[0]) == picture }.map { row in
          ScoredObject(category: Int(row[1]), box: box(row), score: row[6])
        })
    }
    return evaluation
  }

  private func box(_ row: [Double]) -> CornerBox {
    CornerBox(x: row[2], y: row[3], width: row[4], height: row[5])
  }

  @Test func figuresAreThoseOfPycocotools() {
    let measures = evaluation().measures
    let ours = [
      measures.averagePrecision, measures.averagePrecision50, measures.averagePrecision75,
      measures.averagePrecisionSmall, measures.averagePrecisionMedium,
      measures.averagePrecisionLarge, measures.averageRecall1, measures.averageRecall10,
      measures.averageRecall100, measures.averageRecallSmall, measures.averageRecallMedium,
      measures.averageRecallLarge,
    ]
    for (our, theirs) in zip(ours, Self.figures) { #expect(abs((our ?? -1) - theirs) < 1e-6) }
  }

  @Test func figuresOfClassesAreThoseOfPycocotools() {
    let evaluation = evaluation()
    for (category, theirs) in Self.classFigures.enumerated() {
      let ours = evaluation.measures(of: category)
      #expect(abs((ours.averagePrecision ?? -1) - theirs[0]) < 1e-6)
      #expect(abs((ours.averagePrecision50 ?? -1) - theirs[1]) < 1e-6)
    }
  }

  @Test func nothingToBeFoundHasNoFigures() {
    var evaluation = DetectionEvaluation(categoryCount: 1)
    evaluation.add(truth: [], found: [ScoredObject(category: 0, box: square(0), score: 0.5)])
    #expect(evaluation.measures.averagePrecision == nil)
    #expect(evaluation.measures.averageRecall100 == nil)
    #expect(evaluation.measures(of: 0).curve.isEmpty)
  }

  private func square(_ x: Double) -> CornerBox { CornerBox(x: x, y: 0, width: 40, height: 40) }

  /// The best F1 keeps the object that is found and cuts off the false alarm with the lower score.
  @Test func bestThresholdHasTheBestHarmonicMean() throws {
    var evaluation = DetectionEvaluation(categoryCount: 1)
    evaluation.add(
      truth: [
        AnnotatedObject(category: 0, box: square(0)),
        AnnotatedObject(category: 0, box: square(100)),
      ],
      found: [
        ScoredObject(category: 0, box: square(200), score: 0.3),
        ScoredObject(category: 0, box: square(0), score: 0.8),
      ])
    let best = try #require(evaluation.measures(of: 0).bestThreshold)
    #expect(best.score == 0.8)
    #expect(best.recall == 0.5)
    #expect(abs(best.f1 - 2.0 / 3) < 1e-9)
  }

  /// Objects that VOC calls difficult count neither as found, even twice, nor as missed.
  @Test func difficultObjectsAreNotJudged() throws {
    var evaluation = DetectionEvaluation(categoryCount: 1)
    let found = [0.0, 1, 100].map {
      ScoredObject(category: 0, box: square($0), score: 0.9 - $0 / 1000)
    }
    evaluation.add(
      truth: [
        AnnotatedObject(category: 0, box: square(0), kind: .difficult),
        AnnotatedObject(category: 0, box: square(100)),
      ], found: found)
    let precision = try #require(evaluation.measures.averagePrecision)
    #expect(abs(precision - 1) < 1e-9)
  }

  @Test func confusionTellsMistakesApart() {
    var matrix = ConfusionMatrix(categoryCount: 2, scoreThreshold: 0.5)
    let mistakes = matrix.add(
      truth: [
        AnnotatedObject(category: 0, box: square(0)),
        AnnotatedObject(category: 0, box: square(100)),
        AnnotatedObject(category: 1, box: square(200)),
        AnnotatedObject(category: 1, box: square(300), kind: .crowd),
      ],
      found: [
        ScoredObject(category: 0, box: square(2), score: 0.9),
        ScoredObject(category: 1, box: square(100), score: 0.8),
        ScoredObject(category: 1, box: square(200), score: 0.4),
        ScoredObject(category: 1, box: square(300), score: 0.7),
        ScoredObject(category: 0, box: square(500), score: 0.6),
      ])
    #expect(matrix.counts == [[1, 1, 0], [0, 0, 1], [1, 0, 0]])
    #expect([mistakes.missed, mistakes.surplus, mistakes.confused] == [1, 1, 1])
  }

  @Test func labelsAreCountedByTheirPlace() {
    var evaluation = LabelingEvaluation(categoryCount: 3)
    evaluation.add(truth: 0, answers: [0, 1])
    evaluation.add(truth: 0, answers: [1, nil, 2, nil, 0])
    evaluation.add(truth: 2, answers: [nil, nil, nil, nil, nil, 2])
    evaluation.add(truth: 2, answers: [])
    #expect([evaluation.all.top1, evaluation.all.top5] == [0.25, 0.5])
    #expect(evaluation.classes[1].top1 == nil)
    #expect(evaluation.confusion == [[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]])
  }
}
