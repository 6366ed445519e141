import OcellusEngine
import OcellusModelFile
import OcellusProof
import OcellusTestSupport
import Testing

/// Planted faults shrink to the nodes that have them.
@Suite struct ReducerTests {
  private func reduced(
    _ file: ModelFile, while holds: @escaping (ModelFile) -> Bool
  ) throws -> ModelFile {
    let reducer = try Reducer(file) { bytes in
      holds(try ModelFile(ModelBytes(bytes)))
    }
    #expect(try reducer.reduce())
    let smallest = try ModelFile(ModelBytes(reducer.model.bytes()))
    #expect(holds(smallest))
    _ = try Interpreter(Model(smallest)).allocate()
    return smallest
  }

  private func nodeCount(_ file: ModelFile) -> Int {
    file.subgraphs.reduce(0) { $0 + $1.operators.count }
  }

  private func has(_ name: String, in file: ModelFile) -> Bool {
    file.subgraphs.flatMap(\.operators).contains {
      BuiltinOperator.name(of: file.operatorCodes[$0.codeIndex].builtinCode) == name
    }
  }

  @Test func oneNodeOfAChainIsLeft() throws {
    let chain = try ModelFile(ModelBytes(DisputedChain().bytes))
    for node in [0, 1, 20, 54] {
      let smallest = try reduced(chain) { file in
        file.subgraphs[0].tensors.contains { $0.name == "result \(node)" }
          && file.subgraphs[0].operators.contains { operation in
            file.subgraphs[0].tensors[operation.outputs[0]].name == "result \(node)"
          }
      }
      #expect(nodeCount(smallest) == 1)
      #expect(smallest.subgraphs[0].tensors.allSatisfy { $0.shape.allSatisfy { $0 <= 1 } })
    }
  }

  @Test func bothNodesOfAPairAreLeft() throws {
    let chain = try ModelFile(ModelBytes(DisputedChain().bytes))
    let smallest = try reduced(chain) { file in
      let names = file.subgraphs[0].operators.map { file.subgraphs[0].tensors[$0.outputs[0]].name }
      return names.contains("result 3") && names.contains("result 40")
    }
    #expect(nodeCount(smallest) == 2)
  }

  /// A fault that depends on a weight keeps it, and clears the others.
  @Test func whatMattersIsKept() throws {
    let chain = try ModelFile(ModelBytes(DisputedChain().bytes))
    func firstByte(_ file: ModelFile) -> UInt8? {
      file.subgraphs[0].tensors.first { $0.name == "weights 7" }?.data?.first
    }
    let byte = try #require(firstByte(chain))
    let smallest = try reduced(chain) { firstByte($0) == byte }
    #expect(nodeCount(smallest) == 1)
  }

  /// Real models with a planted operator; those of the package and, if present, others.
  @Test(
    arguments: PackageFiles.models
      + SharedFiles.models(["kws_ref_model_int8", "ad01_int8", "vww_96_int8"]))
  func realModels(path: String) throws {
    let file = try ModelFile(path: path)
    for name in ["DEPTHWISE_CONV_2D", "SOFTMAX", "AVERAGE_POOL_2D"] where has(name, in: file) {
      #expect(nodeCount(try reduced(file) { has(name, in: $0) }) == 1)
    }
  }

  @Test func calledSubgraphsStandAlone() throws {
    let loop = try ModelFile(ModelBytes(SyntheticLoop().bytes))
    let smallest = try reduced(loop) { has("ADD", in: $0) }
    #expect(smallest.subgraphs.count == 1 && nodeCount(smallest) == 1)
    let whole = try reduced(loop) { has("WHILE", in: $0) }
    #expect(whole.subgraphs.count == 3)
  }

  @Test func timeIsLimited() throws {
    let chain = try ModelFile(ModelBytes(DisputedChain().bytes))
    let reducer = try Reducer(chain, seconds: 0) { _ in true }
    #expect(try reducer.reduce())
    #expect(reducer.isOutOfTime && reducer.trialCount == 0)
  }

  @Test func faultsOfTheFileAreNoFaultsOfTheModel() throws {
    let chain = try ModelFile(ModelBytes(DisputedChain().bytes))
    #expect(try !Reducer(chain) { _ in false }.reduce())
  }
}
