export { createFileTokenStore, type FileTokenStoreOptions } from '../node/file-store.ts'
export { showUrl } from '../node/interactive.ts'
export { createKeyringTokenStore } from '../node/keyring-store.ts'
export { openBrowser } from '../node/open-browser.ts'
