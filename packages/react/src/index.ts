export type { McpConnection, UseMcpOptions } from './connection.ts'
export { useMcp } from './use-mcp.ts'
