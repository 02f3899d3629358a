export { anySignal } from '../rpc/any-signal.ts'
