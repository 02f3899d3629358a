export {
  testAuth,
  createTestClient,
  type TestClient,
  type TestOptions,
} from '../testing/test-client.ts'
export { createVirtualClock, type VirtualClock } from '../testing/virtual-clock.ts'
export { withFaults, type Fault, type FaultRule, type Faults } from '../testing/faults.ts'
export {
  transportContract,
  type OpenPair,
  type TransportCase,
} from '../testing/transport-contract.ts'
export { createTransportPair, type TransportPairOptions } from '../transport/memory.ts'
