export { argumentWords, parleyCommandLine, parleyProgram } from './parley-command-line.ts'
export type { ParleyCommand } from './parley-command-line.ts'
export { portInUse, readPort } from './port.ts'
export { commandLine, shellWord } from './shell-word.ts'
