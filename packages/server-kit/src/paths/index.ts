export {
  readDirectoryRequest,
  type AllowedDirectory,
  type DirectoryRequest,
} from './allowed-directory.ts'
export { isInside } from './containment.ts'
export type { JailedDirectory } from './jailed-directory.ts'
export { isOnOtherHost } from './other-host.ts'
export { PathDenied, type PathDenialReason } from './path-denied.ts'
export { createPathJail, type OpenFlags, type PathJail, type PathJailOptions } from './path-jail.ts'
export type { JailedPath } from './resolve-path.ts'
export {
  createRootsJail,
  type RootsJail,
  type RootsJailOptions,
  type RootsRule,
} from './roots-jail.ts'
export { restate, systemCode, systemError } from './system-error.ts'
export type { FileContent } from './write-file.ts'
