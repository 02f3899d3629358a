export type { HostAgent, HostAgentRun } from './agent.ts'
export { createHostAgent, type HostAgentOptions } from './host-agent.ts'
export { serveAgent, type ServeAgentOptions } from './serve-agent.ts'
