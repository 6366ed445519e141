import OcellusKernelABI

/// Multiplications of pairs of matrices, all with the same extents.
struct MatrixPairs: Sendable {
  /// The numbers of rows and columns of a left matrix, and of columns of a right matrix.
  var rows: Int
  let depth: Int
  let columns: Int
  /// Whether matrices are stored transposed.
  private(set) var transposesLeft: Bool
  let transposesRight: Bool
  /// The distance in elements from one row to the next, in results and in left matrices that are
  /// not transposed.
  private(set) var leftStride: Int
  private(set) var outputStride: Int
  /// Whether the left matrices are in the node's second operand.
  private(set) var swapsOperands = false
  var pairs: [MatrixPair]

  /// Makes pairs of matrices that are contiguous in memory; `pairs` contains their indices.
  init(
    rows: Int, depth: Int, columns: Int, transposesLeft: Bool = false, transposesRight: Bool,
    pairs: [(left: Int, right: Int, output: Int)] = [(0, 0, 0)]
  ) {
    self.rows = rows
    self.depth = depth
    self.columns = columns
    self.transposesLeft = transposesLeft
    self.transposesRight = transposesRight
    leftStride = depth
    outputStride = columns
    self.pairs = pairs.map {
      MatrixPair(left: $0.left * rows * depth, right: $0.right, output: $0.output * rows * columns)
    }
  }

  /// The rows of a left matrix as the patches that kernels take.
  var patches: PatchGeometry {
    var patches = PatchGeometry(matrixOf: rows, depth: depth)
    if !transposesLeft { patches.pixelStride = leftStride }
    return patches
  }

  /// The same multiplications as fewer and larger ones, in which pairs with the same right matrix
  /// are adjacent.
  var simplified: MatrixPairs { withoutColumnVectors.joined }

  /// The multiplication of a matrix by a column as that of a row by the transposed matrix, which
  /// fills panels.
  ///
  /// This pays only where the matrix, which then has to be packed, would have to be transposed
  /// anyway or is multiplied by several columns.
  private var withoutColumnVectors: MatrixPairs {
    guard columns == 1, rows > 1 else { return self }
    let matrixElements = max(rows * depth, 1)
    let areLeftShared = Set(pairs.map(\.left)).count < pairs.count
    guard transposesLeft || areLeftShared else { return self }
    var products = MatrixPairs(
      rows: 1, depth: depth, columns: rows, transposesRight: !transposesLeft)
    products.swapsOperands = true
    products.pairs = pairs.map {
      MatrixPair(left: $0.right * depth, right: $0.left / matrixElements, output: $0.output)
    }
    return products
  }

  /// Joins pairs with the same right matrix to one, whose left matrix contains the rows of all
  /// pairs, where these rows are evenly spaced.
  var joined: MatrixPairs {
    var products = self
    products.pairs.sort { ($0.right, $0.output) < ($1.right, $1.output) }
    // A matrix of one row has the same layout transposed or not.
    if rows == 1 { products.transposesLeft = false }
    guard !products.transposesLeft else { return products }
    let groups = products.pairs.split(where: { $0.right != $1.right })
    guard let count = groups.first?.count, count > 1, groups.allSatisfy({ $0.count == count })
    else { return products }
    let first = groups[0]
    let left = first[first.startIndex + 1].left - first[first.startIndex].left
    let output = first[first.startIndex + 1].output - first[first.startIndex].output
    let areEven = groups.allSatisfy { group in
      zip(group, group.dropFirst()).allSatisfy {
        $1.left - $0.left == left && $1.output - $0.output == output
      }
    }
    let follows = rows == 1 ? left >= depth : left == rows * depth && output == rows * columns
    guard areEven, follows else { return products }
    if rows == 1 { (products.leftStride, products.outputStride) = (left, output) }
    products.rows *= count
    products.pairs = groups.map { $0[$0.startIndex] }
    return products
  }
}

/// The locations of a pair's matrices in their operands.
struct MatrixPair: Sendable {
  /// The first element of the left matrix.
  var left: Int
  /// The index of the right matrix.
  var right: Int
  /// The first element of the result.
  var output: Int
}

extension Array {
  /// Returns the slices between neighbours that `differ`.
  fileprivate func split(where differ: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
    var slices: [ArraySlice<Element>] = []
    var start = startIndex
    for index in indices where index > start && differ(self[index - 1], self[index]) {
      slices.append(self[start..<index])
      start = index
    }
    if start < endIndex { slices.append(self[start...]) }
    return slices
  }
}
