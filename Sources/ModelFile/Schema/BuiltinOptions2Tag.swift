/// The tags of the tables in the schema's union `BuiltinOptions2`.
package enum BuiltinOptions2Tag {
  package static let none = 0
  package static let stablehloConcatenate = 1
  package static let stablehloBroadcastInDim = 2
  package static let stablehloSlice = 3
  package static let stablehloConvolution = 4
  package static let stablehloCustomCall = 5
  package static let stablehloReduce = 6
  package static let stablehloScatter = 7
  package static let stablehloCompare = 8
  package static let stablehloDynamicSlice = 9
  package static let stablehloPad = 10
  package static let stablehloIota = 11
  package static let stablehloDotGeneral = 12
  package static let stablehloReduceWindow = 13
  package static let stablehloSort = 14
  package static let stablehloWhile = 15
  package static let stablehloGather = 16
  package static let stablehloTranspose = 17
  package static let dilate = 18
  package static let stablehloRngBitGenerator = 19
  package static let reduceWindow = 20
  package static let stablehloComposite = 21
  package static let stablehloShiftLeft = 22
  package static let stablehloCase = 23
}
