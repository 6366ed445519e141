/// A reduction of the elements of a window to one element.
protocol PoolReduction {
  associatedtype Element: BitwiseCopyable
  associatedtype Partial: BitwiseCopyable

  var initial: Partial { get }
  func adding(_ element: Element, to partial: Partial) -> Partial
  func result(_ partial: Partial, count: Int) -> Element
}

struct WindowMean: PoolReduction {
  let range: ClosedRange<Float>
  var initial: Float { 0 }

  @inline(__always)
  func adding(_ element: Float, to partial: Float) -> Float { partial + element }

  func result(_ partial: Float, count: Int) -> Float {
    (partial / Float(count)).clamped(to: range)
  }
}

struct WindowRootMeanSquare: PoolReduction {
  let range: ClosedRange<Float>
  var initial: Float { 0 }

  @inline(__always)
  func adding(_ element: Float, to partial: Float) -> Float { partial + element * element }

  func result(_ partial: Float, count: Int) -> Float {
    (partial / Float(count)).squareRoot().clamped(to: range)
  }
}

/// The mean of integers, rounded to nearest with ties away from zero.
struct QuantizedWindowMean<Element: FixedWidthInteger & BitwiseCopyable>: PoolReduction {
  let range: ClosedRange<Int32>
  var initial: Int32 { 0 }

  @inline(__always)
  func adding(_ element: Element, to partial: Int32) -> Int32 {
    partial &+ Int32(truncatingIfNeeded: element)
  }

  func result(_ partial: Int32, count: Int) -> Element {
    let sum = Int(partial)
    let mean = (sum > 0 ? sum + count / 2 : sum - count / 2) / max(count, 1)
    return Element(
      truncatingIfNeeded: mean.clamped(to: Int(range.lowerBound)...Int(range.upperBound)))
  }
}

/// The largest element; NaN is never larger than another element.
struct WindowMaximum<Element: Comparable & BitwiseCopyable>: PoolReduction {
  let lowest: Element
  let range: ClosedRange<Element>
  var initial: Element { lowest }

  @inline(__always)
  func adding(_ element: Element, to partial: Element) -> Element {
    partial < element ? element : partial
  }

  func result(_ partial: Element, count: Int) -> Element { partial.clamped(to: range) }
}
