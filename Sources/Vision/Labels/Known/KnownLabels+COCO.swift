extension KnownLabels {
  /// The things of COCO, in the order of their numbers.
  static let coco = list(
    """
    person, bicycle, car, motorcycle, airplane, bus, train, truck, boat, traffic light, fire \
    hydrant, stop sign, parking meter, bench, bird, cat, dog, horse, sheep, cow, elephant, bear, \
    zebra, giraffe, backpack, umbrella, handbag, tie, suitcase, frisbee, skis, snowboard, sports \
    ball, kite, baseball bat, baseball glove, skateboard, surfboard, tennis racket, bottle, wine \
    glass, cup, fork, knife, spoon, bowl, banana, apple, sandwich, orange, broccoli, carrot, hot \
    dog, pizza, donut, cake, chair, couch, potted plant, bed, dining table, toilet, tv, laptop, \
    mouse, remote, keyboard, cell phone, microwave, oven, toaster, sink, refrigerator, book, \
    clock, vase, scissors, teddy bear, hair drier, toothbrush
    """)

  /// The numbers between 1 and 90 that COCO does not use.
  static let gapsInCOCO: Set = [12, 26, 29, 30, 45, 66, 68, 69, 71, 83]

  /// The classes of PASCAL VOC.
  static let voc = list(
    """
    aeroplane, bicycle, bird, boat, bottle, bus, car, cat, chair, cow, diningtable, dog, horse, \
    motorbike, person, pottedplant, sheep, sofa, train, tvmonitor
    """)
}
