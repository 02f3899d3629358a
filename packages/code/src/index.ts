export {
  createCodeTools,
  findToolsName,
  runCodeName,
  type CodeToolDefinition,
  type CodeTools,
  type CodeToolsOptions,
} from './catalogue/code-tools.ts'
export { createDeclarations, type CodeTool, type Declarations } from './catalogue/declarations.ts'
export {
  createFileLedgers,
  createMemoryLedger,
  type LedgerAnswer,
  type LedgerBegin,
  type LedgerEntry,
  type LedgerStore,
  type ProgramLedger,
} from './run/ledger.ts'
export {
  runWithLedger,
  type LedgerCallContext,
  type LedgerOutcome,
  type RunWithLedgerOptions,
} from './run/run-with-ledger.ts'
export { shapeOf, unwrapResult, type UnwrapOptions } from './run/unwrap-result.ts'
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox/create-sandbox.ts'
export { type SandboxLimits } from './sandbox/limits.ts'
export { type ProgramClock, type ProgramPosition } from './sandbox/messages.ts'
export {
  ProgramCallError,
  type ProgramCall,
  type ProgramCallContext,
  type ProgramCallErrorDetails,
  type ProgramFailure,
  type ProgramFigures,
  type ProgramOutcome,
  type RunProgramOptions,
  type SleepCall,
} from './sandbox/program.ts'
