/// TransformLandmarks: transforms the x and y coordinates of points by a matrix, and keeps any
/// depth.
///
/// This is a custom operator of MediaPipe, for regions of a face that have their own networks.
package struct TransformLandmarks: Operator {
  package static let definition = OperatorDefinition(
    "TransformLandmarks", versions: 2...2, types: [.float32],
    make: { node throws(ModelError) in try Self(node) })

  private init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(2)
    try node.require(try node.input(1), .float32)
    try node.require(try node.output(0), .float32)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(
      shape.rank == 3 && shape[0] == 1 && (2...3).contains(shape[2]),
      "the landmarks must be one list of points in two or three dimensions")
    try PlaneTransform.require(1, of: context)
    return [shape]
  }

  package func run(_ context: RunContext) {
    let (input, output) = (context.input(0), context.output(0))
    input.copyBytes(to: output)
    let transform = PlaneTransform(context.input(1))
    let numbers = output.values(Float.self)
    for chunk in context.chunks(of: input.shape[1], workOfEach: 4) {
      for index in chunk {
        let point = index * input.shape[2]
        (numbers[point], numbers[point + 1]) = transform(numbers[point], numbers[point + 1])
      }
    }
  }
}
