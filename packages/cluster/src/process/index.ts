export { createRemoteStore, type RemoteStoreOptions } from './remote-store.ts'
export { runProcesses, type LostProcess, type ProcessesOptions } from './run-processes.ts'
export { serveStore } from './serve-store.ts'
export type { StoreChannel, StoreMessage } from './store-messages.ts'
