import { AsyncLocalStorage } from 'node:async_hooks'

import type { TraceRecord, TraceRecorder } from '@parley/foundation/trace'
import type { JsonObject } from '@parley/mcp'
import type { Client, ToolCallResult } from '@parley/mcp/client'
import { isJsonObject } from '@parley/mcp/json'
import { startTool } from '@parley/mcp/tasks'

import type { Methods, RunOutcome } from '../../protocol/index.ts'
import type { Emit, Handlers } from '../handlers.ts'
import { pointerOf } from '../pointer.ts'
import { ProblemError, toRunError } from '../problem.ts'
import type { ServerRecord } from '../servers/server-hold.ts'
import type { Servers } from '../servers/servers.ts'
import type { Tasks } from './tasks.ts'

/** Requests made from the page. */
export interface Runs {
  readonly handlers: Handlers<'runs/start' | 'runs/cancel'>
  start(params: Methods['runs/start']['params']): Promise<RunOutcome>
  /** Looks at each record: it may be the answer to a run. */
  onRecord(record: TraceRecord): void
}

export interface RunsContext {
  readonly emit: Emit
  readonly recorder: TraceRecorder
  readonly servers: Servers
  readonly tasks: Tasks
  readonly mayCall: (record: ServerRecord, method: string, params: JsonObject) => Promise<void>
}

interface Run {
  readonly run: string
  readonly server: string
  readonly method: string
  readonly start: number
  readonly controller: AbortController
  /** The `seq` of each request, oldest first. */
  readonly requests: { readonly seq: number; readonly method: string }[]
  /** The result of the last request that was the run's own, as it came. */
  wire: JsonObject | undefined
  isOver: boolean
}

const maxRuns = 256
const maxLate = 256

export function createRuns({ emit, servers, tasks, mayCall }: RunsContext): Runs {
  const running = new Map<string, Run>()
  /** Runs by the `seq` of what they sent, until it is answered. */
  const bySeq = new Map<number, Run>()

  function begin(run: string, server: string, method: string): Run {
    if (running.has(run)) throw new ProblemError('duplicate_run', `the run ${run} already exists`)
    const own = [...running.values()].filter((candidate) => candidate.server === server)
    if (own.length >= maxRuns) {
      throw new ProblemError('too_many', `${maxRuns} requests to ${server} are already running`, {
        hint: 'Cancel some, or wait for them.',
      })
    }
    const controller = new AbortController()
    const begun: Run = {
      run,
      server,
      method,
      start: performance.now(),
      controller,
      requests: [],
      wire: undefined,
      isOver: false,
    }
    running.set(run, begun)
    return begun
  }

  async function start(params: Methods['runs/start']['params']): Promise<RunOutcome> {
    const { server, run: id, method, asTask = false, timeoutMs } = params
    const record = servers.find(server)
    const client = servers.client(server)
    const wanted = params.params as JsonObject // came as JSON
    await mayCall(record, method, wanted)
    const run = begin(id, server, method)
    const limit = timeoutMs ?? record.settings.requestTimeoutMs
    const options = {
      signal: run.controller.signal,
      fresh: true,
      onProgress: (progress: { progress: number; total?: number; message?: string }) =>
        emit('runs/progress', { run: id, ...progress }),
      ...(limit !== undefined && { timeouts: { idleMs: limit, totalMs: limit } }),
    }
    const scope = {
      onRequest(seq: number, sent: string) {
        run.requests.push({ seq, method: sent })
        bySeq.set(seq, run)
      },
    }
    try {
      const call = runScope.run(scope, () => send(client, server, method, wanted, asTask, options))
      const { result, issues } = await call
      return outcome(run, { result: run.wire ?? result, ...(issues && { outputIssues: issues }) })
    } catch (error) {
      const isCancelled = run.controller.signal.aborted
      const why = isCancelled
        ? { code: 'cancelled', message: 'You cancelled it.' }
        : toRunError(error)
      return outcome(run, { error: why, ...(run.wire && !isCancelled && { result: run.wire }) })
    } finally {
      run.isOver = true
      running.delete(id)
      forgetAnswered(run)
    }
  }

  async function send(
    client: Client,
    server: string,
    method: string,
    params: JsonObject,
    asTask: boolean,
    options: object,
  ): Promise<{ readonly result: JsonObject; readonly issues?: RunOutcome['outputIssues'] }> {
    const { name, arguments: args, ...more } = params
    const isPlain = Object.keys(more).every((key) => key === '_meta')
    const isCall =
      method === 'tools/call' && typeof name === 'string' && isPlain && isJsonObject(args ?? {})
    if (!isCall) return { result: await client.request(method, params, options) }
    const { _meta } = more
    const full = { ...options, ...(isJsonObject(_meta) && { _meta }) }
    const input = (args ?? {}) as JsonObject // just checked
    if (asTask) {
      const started = await startTool(client, name, input, full)
      if (started.kind === 'task') {
        tasks.follow(server, name, started.task)
        return { result: { task: { taskId: started.task.taskId } } }
      }
      return split(started.result)
    }
    return split(await client.callTool(name, input, full))
  }

  function outcome(run: Run, more: Partial<RunOutcome>): RunOutcome {
    // Others may come first: what the client had to know about the tool.
    const seq = run.requests.find(({ method }) => method === run.method)?.seq
    return {
      run: run.run,
      durationMs: performance.now() - run.start,
      ...(seq !== undefined && { seq }),
      ...more,
    }
  }

  /** What is over and answered needs no more looking after; what was cancelled may still be answered. */
  function forgetAnswered(run: Run): void {
    if (!run.controller.signal.aborted) for (const { seq } of run.requests) bySeq.delete(seq)
    for (const seq of bySeq.keys()) {
      if (bySeq.size <= maxRuns + maxLate) return
      bySeq.delete(seq)
    }
  }

  return {
    start,
    handlers: {
      'runs/start': start,
      'runs/cancel'({ run }) {
        running.get(run)?.controller.abort(new Error('the user cancelled it'))
        return {}
      },
    },
    onRecord(record) {
      const { kind, direction, parent, message } = record
      if (kind !== 'message' || direction !== 'in' || parent === undefined) return
      const run = bySeq.get(parent)
      if (run === undefined || !isJsonObject(message) || 'method' in message) return
      const { result, error } = message as {
        result?: JsonObject
        error?: { code: number; message: string }
      } // a response
      const request = run.requests.find(({ seq }) => seq === parent)
      if (request?.method === run.method && isFinal(result)) run.wire = result
      if (!run.isOver) return
      bySeq.delete(parent)
      emit(
        'runs/late',
        outcome(run, {
          late: true,
          ...(result && { result }),
          ...(error && { error: { code: 'other', wireCode: error.code, message: error.message } }),
        }),
      )
    },
  }
}

/** Not a question back, and not a promise of a result. */
function isFinal(result: JsonObject | undefined): result is JsonObject {
  if (result === undefined) return false
  const { resultType, task, content } = result
  if (isJsonObject(task) && content === undefined) return false // as 2025-11-25 writes it
  return resultType === undefined || resultType === 'complete'
}

function split({ issues, ...result }: ToolCallResult): {
  readonly result: JsonObject
  readonly issues?: RunOutcome['outputIssues']
} {
  const found = issues?.map(({ path = [], message }) => ({ path: pointerOf(path), message }))
  return { result: result as unknown as JsonObject, ...(found && { issues: found }) } // it came as JSON
}

/** What requests sent within it belong to. */
export interface RunScope {
  /** A request was recorded. */
  onRequest(seq: number, method: string): void
}

/** Follows a call through everything it awaits, so that each request it sends is known as its own. */
export const runScope = new AsyncLocalStorage<RunScope>()
