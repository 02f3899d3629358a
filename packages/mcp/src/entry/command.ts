export {
  startCommand,
  type StartCommandOptions,
  type StartedCommand,
} from '../transport/stdio/start-command.ts'
export {
  spawnTransport,
  type ChildHandle,
  type SpawnOptions,
} from '../transport/stdio/child-process.ts'
export { guardChildren } from '../transport/stdio/process-tree.ts'
