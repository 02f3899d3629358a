export { startBridge, type Bridge } from './bridge/start-bridge.ts'
export type {
  BridgeCommand,
  BridgeMode,
  BridgeOptions,
  BridgeSource,
  BridgeTarget,
} from './bridge/bridge-options.ts'
export { readDuration } from './bridge/duration.ts'
export { readBytes } from './bridge/byte-size.ts'
export { compatNames, readCompat, type CompatName } from './compat/compat.ts'
export { UsageError } from './usage-error.ts'
