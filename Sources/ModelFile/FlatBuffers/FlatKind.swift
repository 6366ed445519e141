/// The type of a field in a FlatBuffers table, of the types that the schema uses.
package enum FlatKind: Sendable {
  case bool
  case int8
  case uint8
  case int32
  case uint32
  case int64
  case uint64
  case float
  case string
  case bytes
  case bools
  case uint16s
  case int32s
  case uint32s
  case int64s
  case floats
}
