export {
  startCommand,
  type StartCommandOptions,
  type StartedCommand,
} from '../transport/start-command.ts'
