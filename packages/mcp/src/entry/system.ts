export {
  type Environment,
  findProgram,
  type FoundProgram,
  type ProgramLookup,
  resolveCommand,
  type ResolvedCommand,
  searchPath,
  systemProgram,
} from '../transport/system/programs.ts'
export {
  isInUse,
  replaceFile,
  type ReplaceOptions,
  type ReplaceSystem,
} from '../transport/system/replace-file.ts'
export {
  type FileLock,
  type FileLockOptions,
  type LockSystem,
  withFileLock,
} from '../transport/system/file-lock.ts'
export { killWindowsTrees } from '../transport/system/windows-tree.ts'
export { sharedFolderWarning } from '../transport/system/shared-folder.ts'
