/// A window that slides over the rows and columns of an image.
package struct WindowGeometry: Sendable, Hashable {
  package let rows: WindowAxis
  package let columns: WindowAxis

  package init(rows: WindowAxis, columns: WindowAxis) {
    self.rows = rows
    self.columns = columns
  }
}
