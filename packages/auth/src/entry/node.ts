export { fileStore } from '../node/file-store.ts'
export type { FileStoreOptions } from '../node/file-store.ts'
export { keyringStore } from '../node/keyring-store.ts'
export { openBrowser } from '../node/open-browser.ts'
