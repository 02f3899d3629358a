export {
  serveStdio,
  type StdioOptions,
  createStdioTransport,
  type StdioTransportOptions,
} from '../transport/stdio/serve-stdio.ts'
