export { readPrivateFile, readPrivateFileSync } from './private-file.ts'
export { changeLockedFile, withLockedFile } from './locked-file.ts'
export type { LockedFileOptions } from './locked-file.ts'
