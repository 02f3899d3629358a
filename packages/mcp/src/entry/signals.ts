export { anySignal } from '../rpc/signals.ts'
