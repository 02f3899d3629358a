export { didYouMean } from './did-you-mean.ts'
export type { Flag, Flags, FlagValues, ProgramTransport } from './flags.ts'
export {
  runServer,
  type ProgramOptions,
  type ProgramRun,
  type ProgramSurroundings,
} from './run-server.ts'
export { createPerSession, type PerSessionOptions, type SessionRequest } from './per-session.ts'
export { enableFlag, pickExtras } from './pick-extras.ts'
export { readCount, readPositive } from './read-number.ts'
export { createTokenGuard } from './token-guard.ts'
export { UsageError } from './usage-error.ts'
export { withoutWriting } from './without-writing.ts'
