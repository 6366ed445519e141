import Foundation
import OcellusTestSupport
import TensorFlowLite
import Testing

/// The assertions of the official runtime's tests of delegates hold; the processor runs the graph.
@Suite struct DelegateTests {
  @Test func optionsHaveTheOriginalsDefaults() {
    var metal = MetalDelegate.Options()
    #expect(!metal.isPrecisionLossAllowed && metal.waitType == .passive)
    #expect(metal.isQuantizationEnabled)
    metal.isPrecisionLossAllowed = true
    #expect(metal != MetalDelegate().options)
    let coreML = CoreMLDelegate.Options()
    #expect(coreML.enabledDevices == .neuralEngine && coreML.coreMLVersion == 0)
    #expect(coreML.maxDelegatedPartitions == 0 && coreML.minNodesPerPartition == 2)
  }

  @Test func thereIsNoNeuralEngine() {
    #expect(CoreMLDelegate() == nil)
    var options = CoreMLDelegate.Options()
    options.enabledDevices = .all
    #expect(CoreMLDelegate(options: options)?.options == options)
  }

  @Test func interpretersTakeThem() throws {
    let interpreter = try Interpreter(
      modelData: OfficialTestModel.add, delegates: [MetalDelegate()])
    #expect(interpreter.delegates?.count == 1)
    #expect(interpreter.options == nil)
    try interpreter.resizeInput(at: 0, to: [2])
    try interpreter.allocateTensors()
    try interpreter.copy(Data(copyingBufferOf: [Float32(1), Float32(3)]), toInputAt: 0)
    try interpreter.invoke()
    #expect(try interpreter.output(at: 0).data == Data(copyingBufferOf: [Float32(3), Float32(9)]))
  }
}
