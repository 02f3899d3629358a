export { exitCodes } from './exit.ts'
export type { Input, Io, Output } from './io.ts'
export { runCli } from './run.ts'
