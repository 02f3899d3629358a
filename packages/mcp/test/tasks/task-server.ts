import { RpcError, ToolError } from '@parley/mcp'
import { createServer, inputRequired, type Server } from '@parley/mcp/server'
import { serverTasks, type ServerTasksOptions } from '@parley/mcp/tasks'
import { z } from 'zod'

/** Something a test holds closed until it wants the work behind it to go on. */
export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

export function createGate(): Gate {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open: () => open() }
}

/** Lets everything else have its turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

export interface TaskServer {
  readonly server: Server
  /** What `work` and `must` wait for. */
  readonly gate: Gate
  /** Why the signal of `work` aborted. */
  readonly aborted: unknown[]
}

const person = z.object({ name: z.string() })

/** Tools for everything a task can do. */
export function createTaskServer(options: ServerTasksOptions = {}): TaskServer {
  const gate = createGate()
  const aborted: unknown[] = []
  const server = createServer({
    name: 'tasks',
    version: '1.0.0',
    extensions: [serverTasks({ inlineMs: 0, pollIntervalMs: 100, ...options })],
    onError: () => undefined,
  })
  server.tool('quick', { task: 'optional' }, () => 'done')
  server.tool('plain', {}, () => 'plain')
  server.tool('work', { task: 'optional' }, async (_, { signal, progress }) => {
    signal.addEventListener('abort', () => aborted.push(signal.reason), { once: true })
    await progress({ progress: 1, total: 2, message: 'half way' })
    await gate.opened
    return 'worked'
  })
  server.tool('must', { task: 'required' }, async () => {
    await gate.opened
    return 'had to'
  })
  server.tool('fails', { task: 'required' }, async () => {
    await gate.opened
    throw new ToolError('the tool failed')
  })
  server.tool('breaks', { task: 'required' }, async () => {
    await gate.opened
    throw new RpcError('invalid_params', 'the protocol failed')
  })
  server.tool('asks', { task: 'optional' }, async (_, context) => {
    const answer = await context.elicit({ message: 'Who?', requestedSchema: person })
    return answer.action === 'accept' ? `hello ${answer.content.name}` : answer.action
  })
  server.tool('asks-twice', { task: 'required' }, async (_, context) => {
    const inputRequests = ['first', 'second'].map((key) =>
      context.elicit({ message: key, requestedSchema: person }, { key }),
    )
    const answers = await Promise.all(inputRequests)
    return answers.map((answer) => (answer.action === 'accept' ? answer.content.name : '')).join()
  })
  server.tool('confirms', { task: 'required' }, async (_, context) => {
    const inputRequest = inputRequired.elicit({ message: 'Who?', requestedSchema: person })
    const answer = context.inputResponse('user_name', inputRequest)
    if (answer?.action !== 'accept') {
      return inputRequired({ inputRequests: { user_name: inputRequest }, requestState: 'asked' })
    }
    await gate.opened
    return `confirmed by ${answer.content.name}`
  })
  server.tool('logs', { task: 'required' }, async (_, context) => {
    context.log('error', 'before', 'worker')
    await gate.opened
    context.log('error', 'after', 'worker')
    await context.progress({ progress: 1 })
    return 'logged'
  })
  return { server, gate, aborted }
}
