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
