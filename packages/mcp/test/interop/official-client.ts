import type { Target } from './programs.ts'

/** What both generations of the official client can do, so that the same tests drive them. */
export interface OfficialClient extends AsyncDisposable {
  readonly server: { readonly name: string; readonly version: string } | undefined
  readonly capabilities: object | undefined
  readonly instructions: string | undefined
  /** What came without being asked for. */
  readonly received: Received

  listTools(): Promise<readonly ListedTool[]>
  callTool(name: string, args?: Arguments, options?: CallOptions): Promise<ToolResult>
  listPrompts(): Promise<readonly { readonly name: string }[]>
  getPrompt(name: string, args?: Record<string, string>): Promise<{ readonly messages: unknown }>
  listResources(): Promise<readonly { readonly uri: string }[]>
  listTemplates(): Promise<readonly { readonly uriTemplate: string }[]>
  readResource(uri: string): Promise<{ readonly contents: unknown }>
  /** Hears of changes of resources from now on: of their list, and of those that are named. */
  follow(...uris: readonly string[]): Promise<Subscribed>
  complete(params: CompleteParams): Promise<readonly string[]>
  setLoggingLevel(level: 'debug' | 'emergency'): Promise<unknown>
  /** Rejects if the server does not answer. */
  check(): Promise<void>
}

export type OpenOfficialClient = (target: Target) => Promise<OfficialClient>

/** Ends when disposed. */
export type Subscribed = AsyncDisposable

export interface ListedTool {
  readonly name: string
  readonly outputSchema?: unknown
}
export type Arguments = Record<string, unknown>
export interface CallOptions {
  readonly signal?: AbortSignal
  readonly onprogress?: (progress: { progress: number; total?: number | undefined }) => void
}
export interface ToolResult {
  readonly [member: string]: unknown
  readonly content?: unknown
  readonly structuredContent?: unknown
  readonly isError?: unknown
}
export interface CompleteParams {
  readonly ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }
  readonly argument: { name: string; value: string }
  readonly context?: { arguments: Record<string, string> }
}

export interface Received {
  readonly logs: unknown[]
  readonly updates: string[]
  readonly changes: string[]
  /** Questions of the server, by method. */
  readonly inputRequests: { readonly method: string; readonly params: unknown }[]
}

export function createHeard(): Received {
  return { logs: [], updates: [], changes: [], inputRequests: [] }
}

/** What the clients declare and answer. */
export const capabilities = { roots: { listChanged: true }, sampling: {}, elicitation: {} }
export const rootsAnswer = { roots: [{ uri: 'file:///home/ada', name: 'home' }] }
export const samplingAnswer = {
  role: 'assistant' as const,
  content: { type: 'text' as const, text: 'Forty-two.' },
  model: 'scripted',
  stopReason: 'endTurn',
}
export const elicitationAnswer = {
  action: 'accept' as const,
  content: { name: 'Ada', integer: 7, check: true },
}
