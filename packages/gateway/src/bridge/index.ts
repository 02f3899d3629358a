// The bridge alone, without all that a gateway needs: it starts in a fraction of the time.
export { startBridge, type Bridge } from './start-bridge.ts'
export type {
  BridgeCommand,
  BridgeMode,
  BridgeOptions,
  BridgeSource,
  BridgeTarget,
} from './bridge-options.ts'
export { readDuration } from './duration.ts'
export { readBytes } from './byte-size.ts'
