/// The tables in the schema's unions of options, in the order of their tags, which start at 1.
extension OptionsSchema {
  /// The members of the union `BuiltinOptions`.
  static let builtinOptions: [OptionsSchema] = [
    OptionsSchema(
      "Conv2DOptions",
      [
        ("padding", .int8), ("stride_w", .int32), ("stride_h", .int32),
        ("fused_activation_function", .int8), ("dilation_w_factor", .int32),
        ("dilation_h_factor", .int32), ("quantized_bias_type", .int8),
      ]),
    OptionsSchema(
      "DepthwiseConv2DOptions",
      [
        ("padding", .int8), ("stride_w", .int32), ("stride_h", .int32),
        ("depth_multiplier", .int32), ("fused_activation_function", .int8),
        ("dilation_w_factor", .int32), ("dilation_h_factor", .int32),
      ]),
    OptionsSchema(
      "ConcatEmbeddingsOptions",
      [
        ("num_channels", .int32), ("num_columns_per_channel", .int32s),
        ("embedding_dim_per_channel", .int32s),
      ]),
    OptionsSchema("LSHProjectionOptions", [("type", .int8)]),
    OptionsSchema(
      "Pool2DOptions",
      [
        ("padding", .int8), ("stride_w", .int32), ("stride_h", .int32), ("filter_width", .int32),
        ("filter_height", .int32), ("fused_activation_function", .int8),
      ]),
    OptionsSchema(
      "SVDFOptions",
      [
        ("rank", .int32), ("fused_activation_function", .int8),
        ("asymmetric_quantize_inputs", .bool),
      ]),
    OptionsSchema(
      "RNNOptions",
      [
        ("fused_activation_function", .int8), ("asymmetric_quantize_inputs", .bool),
      ]),
    OptionsSchema(
      "FullyConnectedOptions",
      [
        ("fused_activation_function", .int8), ("weights_format", .int8), ("keep_num_dims", .bool),
        ("asymmetric_quantize_inputs", .bool), ("quantized_bias_type", .int8),
      ]),
    OptionsSchema("SoftmaxOptions", [("beta", .float)]),
    OptionsSchema(
      "ConcatenationOptions", [("axis", .int32), ("fused_activation_function", .int8)]),
    OptionsSchema(
      "AddOptions", [("fused_activation_function", .int8), ("pot_scale_int16", .bool)]),
    OptionsSchema("L2NormOptions", [("fused_activation_function", .int8)]),
    OptionsSchema(
      "LocalResponseNormalizationOptions",
      [
        ("radius", .int32), ("bias", .float), ("alpha", .float), ("beta", .float),
      ]),
    OptionsSchema(
      "LSTMOptions",
      [
        ("fused_activation_function", .int8), ("cell_clip", .float), ("proj_clip", .float),
        ("kernel_type", .int8), ("asymmetric_quantize_inputs", .bool),
      ]),
    OptionsSchema(
      "ResizeBilinearOptions",
      [
        ("new_height", nil), ("new_width", nil), ("align_corners", .bool),
        ("half_pixel_centers", .bool),
      ]),
    OptionsSchema("CallOptions", [("subgraph", .uint32)]),
    OptionsSchema("ReshapeOptions", [("new_shape", .int32s)]),
    OptionsSchema(
      "SkipGramOptions",
      [
        ("ngram_size", .int32), ("max_skip_size", .int32), ("include_all_ngrams", .bool),
      ]),
    OptionsSchema("SpaceToDepthOptions", [("block_size", .int32)]),
    OptionsSchema("EmbeddingLookupSparseOptions", [("combiner", .int8)]),
    OptionsSchema("MulOptions", [("fused_activation_function", .int8)]),
    OptionsSchema("PadOptions"),
    OptionsSchema("GatherOptions", [("axis", .int32), ("batch_dims", .int32)]),
    OptionsSchema("BatchToSpaceNDOptions"),
    OptionsSchema("SpaceToBatchNDOptions"),
    OptionsSchema("TransposeOptions"),
    OptionsSchema("ReducerOptions", [("keep_dims", .bool)]),
    OptionsSchema(
      "SubOptions", [("fused_activation_function", .int8), ("pot_scale_int16", .bool)]),
    OptionsSchema("DivOptions", [("fused_activation_function", .int8)]),
    OptionsSchema("SqueezeOptions", [("squeeze_dims", .int32s)]),
    OptionsSchema(
      "SequenceRNNOptions",
      [
        ("time_major", .bool), ("fused_activation_function", .int8),
        ("asymmetric_quantize_inputs", .bool),
      ]),
    OptionsSchema(
      "StridedSliceOptions",
      [
        ("begin_mask", .int32), ("end_mask", .int32), ("ellipsis_mask", .int32),
        ("new_axis_mask", .int32), ("shrink_axis_mask", .int32), ("offset", .bool),
      ]),
    OptionsSchema("ExpOptions"),
    OptionsSchema("TopKV2Options"),
    OptionsSchema("SplitOptions", [("num_splits", .int32)]),
    OptionsSchema("LogSoftmaxOptions"),
    OptionsSchema("CastOptions", [("in_data_type", .int8), ("out_data_type", .int8)]),
    OptionsSchema("DequantizeOptions"),
    OptionsSchema("MaximumMinimumOptions"),
    OptionsSchema("ArgMaxOptions", [("output_type", .int8)]),
    OptionsSchema("LessOptions"),
    OptionsSchema("NegOptions"),
    OptionsSchema("PadV2Options"),
    OptionsSchema("GreaterOptions"),
    OptionsSchema("GreaterEqualOptions"),
    OptionsSchema("LessEqualOptions"),
    OptionsSchema("SelectOptions"),
    OptionsSchema("SliceOptions"),
    OptionsSchema(
      "TransposeConvOptions",
      [
        ("padding", .int8), ("stride_w", .int32), ("stride_h", .int32),
        ("fused_activation_function", .int8), ("quantized_bias_type", .int8),
      ]),
    OptionsSchema("SparseToDenseOptions", [("validate_indices", .bool)]),
    OptionsSchema("TileOptions"),
    OptionsSchema("ExpandDimsOptions"),
    OptionsSchema("EqualOptions"),
    OptionsSchema("NotEqualOptions"),
    OptionsSchema("ShapeOptions", [("out_type", .int8)]),
    OptionsSchema("PowOptions"),
    OptionsSchema("ArgMinOptions", [("output_type", .int8)]),
    OptionsSchema(
      "FakeQuantOptions",
      [
        ("min", .float), ("max", .float), ("num_bits", .int32), ("narrow_range", .bool),
      ]),
    OptionsSchema("PackOptions", [("values_count", .int32), ("axis", .int32)]),
    OptionsSchema("LogicalOrOptions"),
    OptionsSchema("OneHotOptions", [("axis", .int32)]),
    OptionsSchema("LogicalAndOptions"),
    OptionsSchema("LogicalNotOptions"),
    OptionsSchema("UnpackOptions", [("num", .int32), ("axis", .int32)]),
    OptionsSchema("FloorDivOptions"),
    OptionsSchema("SquareOptions"),
    OptionsSchema("ZerosLikeOptions"),
    OptionsSchema("FillOptions"),
    OptionsSchema(
      "BidirectionalSequenceLSTMOptions",
      [
        ("fused_activation_function", .int8), ("cell_clip", .float), ("proj_clip", .float),
        ("merge_outputs", .bool), ("time_major", .bool), ("asymmetric_quantize_inputs", .bool),
      ]),
    OptionsSchema(
      "BidirectionalSequenceRNNOptions",
      [
        ("time_major", .bool), ("fused_activation_function", .int8), ("merge_outputs", .bool),
        ("asymmetric_quantize_inputs", .bool),
      ]),
    OptionsSchema(
      "UnidirectionalSequenceLSTMOptions",
      [
        ("fused_activation_function", .int8), ("cell_clip", .float), ("proj_clip", .float),
        ("time_major", .bool), ("asymmetric_quantize_inputs", .bool),
        ("diagonal_recurrent_tensors", .bool),
      ]),
    OptionsSchema("FloorModOptions"),
    OptionsSchema("RangeOptions"),
    OptionsSchema(
      "ResizeNearestNeighborOptions",
      [
        ("align_corners", .bool), ("half_pixel_centers", .bool),
      ]),
    OptionsSchema("LeakyReluOptions", [("alpha", .float)]),
    OptionsSchema("SquaredDifferenceOptions"),
    OptionsSchema("MirrorPadOptions", [("mode", .int8)]),
    OptionsSchema("AbsOptions"),
    OptionsSchema("SplitVOptions", [("num_splits", .int32)]),
    OptionsSchema("UniqueOptions", [("idx_out_type", .int8)]),
    OptionsSchema("ReverseV2Options"),
    OptionsSchema("AddNOptions"),
    OptionsSchema("GatherNdOptions"),
    OptionsSchema("CosOptions"),
    OptionsSchema("WhereOptions"),
    OptionsSchema("RankOptions"),
    OptionsSchema("ReverseSequenceOptions", [("seq_dim", .int32), ("batch_dim", .int32)]),
    OptionsSchema("MatrixDiagOptions"),
    OptionsSchema("QuantizeOptions"),
    OptionsSchema("MatrixSetDiagOptions"),
    OptionsSchema("HardSwishOptions"),
    OptionsSchema("IfOptions", [("then_subgraph_index", .int32), ("else_subgraph_index", .int32)]),
    OptionsSchema(
      "WhileOptions",
      [
        ("cond_subgraph_index", .int32), ("body_subgraph_index", .int32),
      ]),
    OptionsSchema("DepthToSpaceOptions", [("block_size", .int32)]),
    OptionsSchema("NonMaxSuppressionV4Options"),
    OptionsSchema("NonMaxSuppressionV5Options"),
    OptionsSchema("ScatterNdOptions"),
    OptionsSchema("SelectV2Options"),
    OptionsSchema("DensifyOptions"),
    OptionsSchema("SegmentSumOptions"),
    OptionsSchema(
      "BatchMatMulOptions",
      [
        ("adj_x", .bool), ("adj_y", .bool), ("asymmetric_quantize_inputs", .bool),
      ]),
    OptionsSchema("CumsumOptions", [("exclusive", .bool), ("reverse", .bool)]),
    OptionsSchema("CallOnceOptions", [("init_subgraph_index", .int32)]),
    OptionsSchema("BroadcastToOptions"),
    OptionsSchema("Rfft2dOptions"),
    OptionsSchema(
      "Conv3DOptions",
      [
        ("padding", .int8), ("stride_d", .int32), ("stride_w", .int32), ("stride_h", .int32),
        ("fused_activation_function", .int8), ("dilation_d_factor", .int32),
        ("dilation_w_factor", .int32), ("dilation_h_factor", .int32),
      ]),
    OptionsSchema(
      "HashtableOptions",
      [
        ("table_id", .int32), ("key_dtype", .int8), ("value_dtype", .int8),
      ]),
    OptionsSchema("HashtableFindOptions"),
    OptionsSchema("HashtableImportOptions"),
    OptionsSchema("HashtableSizeOptions"),
    OptionsSchema("VarHandleOptions", [("container", .string), ("shared_name", .string)]),
    OptionsSchema("ReadVariableOptions"),
    OptionsSchema("AssignVariableOptions"),
    OptionsSchema("RandomOptions", [("seed", .int64), ("seed2", .int64)]),
    OptionsSchema("BucketizeOptions", [("boundaries", .floats)]),
    OptionsSchema("GeluOptions", [("approximate", .bool)]),
    OptionsSchema("DynamicUpdateSliceOptions"),
    OptionsSchema("UnsortedSegmentProdOptions"),
    OptionsSchema("UnsortedSegmentMaxOptions"),
    OptionsSchema("UnsortedSegmentMinOptions"),
    OptionsSchema("UnsortedSegmentSumOptions"),
    OptionsSchema("ATan2Options"),
    OptionsSchema("SignOptions"),
    OptionsSchema("BitcastOptions"),
    OptionsSchema("BitwiseXorOptions"),
    OptionsSchema("RightShiftOptions"),
  ]

  /// The members of the union `BuiltinOptions2`.
  static let builtinOptions2: [OptionsSchema] = [
    OptionsSchema("StablehloConcatenateOptions", [("dimension", .int64)]),
    OptionsSchema("StablehloBroadcastInDimOptions", [("broadcast_dimensions", .int64s)]),
    OptionsSchema(
      "StablehloSliceOptions",
      [
        ("start_indices", .int64s), ("limit_indices", .int64s), ("strides", .int64s),
      ]),
    OptionsSchema(
      "StablehloConvolutionOptions",
      [
        ("window_strides", .int64s), ("padding", .int64s), ("lhs_dilation", .int64s),
        ("rhs_dilation", .int64s), ("window_reversal", .bools), ("input_batch_dimension", .int64),
        ("input_feature_dimension", .int64), ("input_spatial_dimensions", .int64s),
        ("kernel_input_feature_dimension", .int64), ("kernel_output_feature_dimension", .int64),
        ("kernel_spatial_dimensions", .int64s), ("output_batch_dimension", .int64),
        ("output_feature_dimension", .int64), ("output_spatial_dimensions", .int64s),
        ("feature_group_count", .int64), ("batch_group_count", .int64),
        ("precision_config", .uint32s),
      ]),
    OptionsSchema(
      "StablehloCustomCallOptions",
      [
        ("call_target_name", .string), ("has_side_effect", .bool), ("backend_config", .string),
        ("api_version", .int32), ("called_computations", .int32s), ("custom_attributes", .bytes),
      ]),
    OptionsSchema(
      "StablehloReduceOptions",
      [
        ("dimensions", .int64s), ("body_subgraph_index", .int32),
      ]),
    OptionsSchema(
      "StablehloScatterOptions",
      [
        ("indices_are_sorted", .bool), ("update_window_dims", .int64s),
        ("inserted_window_dims", .int64s), ("scatter_dims_to_operand_dims", .int64s),
        ("index_vector_dim", .int64), ("unique_indices", .bool),
        ("update_computation_subgraph_index", .int32),
      ]),
    OptionsSchema(
      "StablehloCompareOptions",
      [
        ("comparison_direction", .uint32), ("compare_type", .uint32),
      ]),
    OptionsSchema("StablehloDynamicSliceOptions", [("slice_sizes", .int64s)]),
    OptionsSchema(
      "StablehloPadOptions",
      [
        ("edge_padding_low", .int64s), ("edge_padding_high", .int64s),
        ("interior_padding", .int64s),
      ]),
    OptionsSchema("StablehloIotaOptions", [("iota_dimension", .int64)]),
    OptionsSchema(
      "StablehloDotGeneralOptions",
      [
        ("lhs_batching_dimensions", .int64s), ("rhs_batching_dimensions", .int64s),
        ("lhs_contracting_dimensions", .int64s), ("rhs_contracting_dimensions", .int64s),
        ("precision_config", .uint32s),
      ]),
    OptionsSchema(
      "StablehloReduceWindowOptions",
      [
        ("window_dimensions", .int64s), ("window_strides", .int64s), ("base_dilations", .int64s),
        ("window_dilations", .int64s), ("padding", .int64s), ("body_subgraph_index", .int32),
      ]),
    OptionsSchema(
      "StablehloSortOptions",
      [
        ("dimension", .int64), ("is_stable", .bool), ("comparator_subgraph_index", .int32),
      ]),
    OptionsSchema(
      "StablehloWhileOptions",
      [
        ("cond_subgraph_index", .int32), ("body_subgraph_index", .int32),
      ]),
    OptionsSchema(
      "StablehloGatherOptions",
      [
        ("offset_dims", .int64s), ("collapsed_slice_dims", .int64s), ("start_index_map", .int64s),
        ("index_vector_dim", .int64), ("slice_sizes", .int64s), ("indices_are_sorted", .bool),
      ]),
    OptionsSchema("StablehloTransposeOptions", [("permutation", .int64s)]),
    OptionsSchema("DilateOptions"),
    OptionsSchema("StablehloRngBitGeneratorOptions", [("algorithm", .int8)]),
    OptionsSchema("ReduceWindowOptions", [("reduce_function", .int32)]),
    OptionsSchema(
      "StableHLOCompositeOptions",
      [
        ("name", .string), ("decomposition_subgraph_index", .int32),
        ("composite_attributes", .bytes), ("composite_attributes_format", .int8),
        ("version", .int32),
      ]),
    OptionsSchema("StablehloShiftLeftOptions"),
    OptionsSchema("StablehloCaseOptions", [("branch_subgraph_indices", .int32s)]),
  ]
}
