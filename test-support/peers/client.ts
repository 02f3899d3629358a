/** What every client of the matrix can do, whoever wrote it, so that the same checks drive them all. */
export interface MatrixClient extends AsyncDisposable {
  /** What it settled on with the server. */
  readonly revision: string
  readonly capabilities: ServerCapabilities
  /** What came without being asked for. */
  readonly received: Received

  /** The names of all tools, however many pages they take. */
  listTools(): Promise<readonly string[]>
  /** The first page alone. */
  listFirstTools(): Promise<{ readonly hasMore: boolean }>
  callTool(name: string, args?: Arguments, options?: CallOptions): Promise<ToolResult>
  listPrompts(): Promise<readonly string[]>
  getPrompt(name: string, args: Record<string, string>): Promise<{ readonly messages: unknown }>
  listResources(): Promise<readonly string[]>
  listTemplates(): Promise<readonly string[]>
  readResource(uri: string): Promise<{ readonly contents: unknown }>
  complete(reference: Reference, argument: Argument): Promise<readonly string[]>
  setLoggingLevel(level: 'debug'): Promise<void>
  /** Changes of this resource, and of the list of resources, are heard until it is disposed. */
  follow(uri: string): Promise<AsyncDisposable>
  ping(): Promise<void>
}

/** What reaches a server: a program to start, or an address. */
export type Target =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: URL }

export interface ServerCapabilities {
  readonly tools?: object | undefined
  readonly logging?: object | undefined
  readonly completions?: object | undefined
  readonly prompts?: object | undefined
  readonly resources?:
    | { readonly subscribe?: boolean | undefined; readonly listChanged?: boolean | undefined }
    | undefined
}
export type Arguments = Record<string, unknown>
export interface CallOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: { readonly progress: number }) => void
}
export interface ToolResult {
  readonly content?: unknown
  readonly structuredContent?: unknown
  readonly isError?: unknown
}
export type Reference = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }
export interface Argument {
  name: string
  value: string
}

export interface Received {
  readonly logs: unknown[]
  readonly updates: string[]
  readonly changes: string[]
  /** What the client reported as wrong, though no call failed. */
  readonly complaints: string[]
}

export function createHeard(): Received {
  return { logs: [], updates: [], changes: [], complaints: [] }
}

/** Official clients complain of progress that comes with the result or after cancelling, which every server may send. */
export function isLateProgress(error: Error): boolean {
  return error.message.includes('progress notification for an unknown token')
}

/** What the clients declare and answer. */
export const capabilities = { roots: { listChanged: true }, sampling: {}, elicitation: {} }
export const root = { uri: 'file:///home/ada', name: 'home' }
export const sampled = {
  role: 'assistant' as const,
  content: { type: 'text' as const, text: 'Forty-two.' },
  model: 'scripted',
}
export const elicited = { action: 'accept' as const, content: { name: 'Ada' } }
