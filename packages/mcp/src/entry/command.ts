export {
  startCommand,
  type StartCommandOptions,
  type StartedCommand,
} from '../transport/stdio/start-command.ts'
