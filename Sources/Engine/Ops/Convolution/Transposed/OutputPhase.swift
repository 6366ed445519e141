/// The outputs of a transposed convolution along one axis that are sums over the same relative
/// inputs with the same weights.
///
/// With a stride of s, a phase consists of every s-th output; `merging` computes s neighbouring
/// outputs as one output with s times the channels.
package struct OutputPhase {
  /// The first output.
  package let first: Int
  /// The number of outputs, or of groups of s outputs.
  package let count: Int
  /// The input with which the first output begins; negative in the padding.
  package let origin: Int
  /// For every output of a group, the tap of the window that multiplies each neighbouring input, in
  /// the order of the inputs; `nil` where there is none.
  package let taps: [[Int?]]

  /// The number of neighbouring inputs of an output.
  var reach: Int { taps[0].count }

  package var hasGaps: Bool { taps.contains { $0.contains(nil) } }

  /// Returns the phases of an axis of the window, which moves over the *output*.
  ///
  /// Phases whose outputs have no input, because the window is smaller than its stride, are left
  /// out.
  package static func all(_ axis: WindowAxis) -> [OutputPhase] {
    (0..<min(axis.stride, axis.inputExtent)).compactMap { OutputPhase(axis, [$0]) }
  }

  /// Returns all phases as one, or `nil` if some outputs would be left over, or outputs between the
  /// others have no input.
  package static func merging(_ axis: WindowAxis) -> OutputPhase? {
    guard axis.inputExtent % axis.stride == 0 else { return nil }
    let members = (0..<axis.stride).filter { OutputPhase(axis, [$0]) != nil }
    guard let first = members.first, members == Array(first..<first + members.count) else {
      return nil
    }
    return OutputPhase(axis, members)
  }

  /// Creates the phase of these members: the output at `stride × group + member` multiplies the
  /// input at `group + distance` by the tap `member + padding − stride × distance`.
  ///
  /// - Returns: `nil` if a member has no input.
  private init?(_ axis: WindowAxis, _ members: [Int]) {
    let (stride, padding) = (axis.stride, axis.leadingPadding)
    func distances(_ member: Int) -> ClosedRange<Int>? {
      let lowest = member + padding - axis.tapCount + 1
      // Rounded up; `lowest` may be negative.
      let nearest = lowest > 0 ? (lowest + stride - 1) / stride : lowest / stride
      let farthest = (member + padding) / stride
      return nearest <= farthest ? nearest...farthest : nil
    }
    let ranges = members.compactMap(distances)
    guard ranges.count == members.count else { return nil }
    let nearest = ranges.map(\.lowerBound).min() ?? 0
    let farthest = ranges.map(\.upperBound).max() ?? 0
    first = members[0]
    count = (axis.inputExtent - members[0] + stride - 1) / stride
    origin = nearest
    taps = zip(members, ranges).map { member, range in
      (nearest...farthest).map { distance in
        range.contains(distance) ? member + padding - stride * distance : nil
      }
    }
  }
}
