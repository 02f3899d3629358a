export type { Agent, AgentRun } from './agent.ts'
export { hostAgent, type HostAgentOptions } from './host-agent.ts'
export { serveAgent, type ServeAgentOptions } from './serve-agent.ts'
