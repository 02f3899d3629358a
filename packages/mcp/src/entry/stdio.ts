export { serveStdio, type StdioOptions } from '../transport/serve-stdio.ts'
export { createStdioTransport, type StdioTransportOptions } from '../transport/stdio.ts'
