// The client's side alone: the entry has the server's too, which a bundle would load with it.
export { clientTasks, startTool } from '@parley/mcp/tasks'
