export { serveStdio, type StdioOptions } from '../transport/stdio/serve-stdio.ts'
export { createStdioTransport, type StdioTransportOptions } from '../transport/stdio/stdio.ts'
