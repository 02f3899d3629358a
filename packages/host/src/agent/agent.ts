import type { Context, ToolReturn } from '@parley/mcp/server'

/** One task for an agent. */
export interface HostAgentRun {
  /** The task, in the caller's words. */
  readonly prompt: string
  /** Aborts when the caller cancels the work, and when its time is over. */
  readonly signal: AbortSignal
  /** Tells the caller what is done now: the status of its task, and progress of its call. */
  report(message: string): Promise<void>
  /** Asks the caller's user. Absent if that is not possible: the client has no forms, or cannot wait for a running task. */
  readonly elicit?: Context['elicit']
  /** The caller, and everything else about the call. */
  readonly context: Context
}

/** Does the work. What it returns is the result of the tool. A `ToolError` is for the model that called. */
export type HostAgent = (run: HostAgentRun) => Promise<ToolReturn>
