export { serveStdio, type StdioOptions } from '../transport/serve-stdio.ts'
export {
  startCommand,
  type StartCommandOptions,
  type StartedCommand,
} from '../transport/start-command.ts'
export { createStdioTransport, type StdioTransportOptions } from '../transport/stdio.ts'
