/// The product of counts, or the largest integer where it does not fit.
package func saturatingProduct(_ factors: Int...) -> Int {
  var product = 1
  for factor in factors {
    let (next, isOverflow) = product.multipliedReportingOverflow(by: factor)
    if isOverflow { return .max }
    product = next
  }
  return product
}
