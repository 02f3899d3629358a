export { fileStore, type FileStoreOptions } from '../node/file-store.ts'
export { showUrl } from '../node/interactive.ts'
export { keyringStore } from '../node/keyring-store.ts'
export { openBrowser } from '../node/open-browser.ts'
