/**
 * Runs a tool that may become a task. Until then it belongs to its request, notifies there and is aborted with it; as a task it has its own
 * deadline and ends as a `TaskEvent`.
 *
 * Does not store anything: `task-calls.ts` decides whether a call becomes a task, and `task-lifecycle.ts` writes the record. Never rejects
 * because of the tool; an error is an outcome.
 */

import type { Clock } from '../../rpc/clock.ts'
import { isMcpError } from '../../rpc/errors/mcp-error.ts'
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import { taskCancelled } from '../../rpc/errors/task-errors.ts'
import type { InputRequest } from '../../schema/input/input.ts'
import type { Progress } from '../../schema/progress.ts'
import type { CallToolResult } from '../../schema/tools.ts'
import type { Call, Responder, BackgroundChannel } from '../calls/call.ts'
import { shuttingDown, ranOutOfTime } from '../calls/calls-in-flight.ts'
import { reportUnexpected } from '../calls/report-fault.ts'
import { isIdempotent } from '../calls/safe-to-retry.ts'
import { CallContext } from '../context.ts'
import type { ToolOutcome, RunTool } from '../extensions.ts'
import { RoundEnd } from '../input/input-required.ts'
import type { TaskTool } from '../tools/tools.ts'
import type { TaskService, TaskSlot } from './server-tasks.ts'
import { nodeLost } from './task-access.ts'
import { createTaskInput } from './task-input.ts'
import { createTaskLifecycle } from './task-lifecycle.ts'
import { createStatusMessages, createTaskNotifications } from './task-notifications.ts'
import type { TaskEvent } from './task-state.ts'
import type { TaskRecord } from './task-store.ts'

/** The timeout of work that no request keeps. */
export interface WorkDeadline extends Disposable {
  /** Checks the timeout at this time. */
  keep(dueAt: number): void
}

function createWorkDeadline(clock: Clock, dueAt: () => number, onDue: () => void): WorkDeadline {
  let timer: Disposable | undefined

  function keep(at: number): void {
    timer?.[Symbol.dispose]()
    timer = clock.setTimer(check, at - clock.now())
  }

  /** The timeout may have been extended, or paused. */
  function check(): void {
    const due = dueAt()
    if (due <= clock.now()) onDue()
    else if (due !== Infinity) keep(due)
  }

  return { keep, [Symbol.dispose]: () => timer?.[Symbol.dispose]() }
}

/** How the work of a tool ends, in a task or not. */
export type RunOutcome =
  | { readonly kind: 'result'; readonly result: CallToolResult }
  | { readonly kind: 'round'; readonly end: RoundEnd }
  | { readonly kind: 'error'; readonly error: unknown }
  /** The process shuts down. */
  | { readonly kind: 'lost' }

/** Never rejects. */
function outcomeOf(running: Promise<CallToolResult | RoundEnd>): Promise<RunOutcome> {
  return running.then(
    (ended): RunOutcome =>
      ended instanceof RoundEnd ? { kind: 'round', end: ended } : { kind: 'result', result: ended },
    (error: unknown): RunOutcome => ({ kind: 'error', error }),
  )
}

/** Converts the outcome to the response to the call. */
export function toInputResponse(end: RunOutcome): ToolOutcome {
  switch (end.kind) {
    case 'result':
      return end.result
    case 'round':
      return end.end
    case 'error':
      throw end.error
    case 'lost':
      throw new RpcError('overloaded', shuttingDown)
  }
}

/** Converts the outcome to the event that ends a task; `lostEvent` is for a process that shuts down. */
function toEvent(end: RunOutcome, work: Call, lostEvent: TaskEvent): TaskEvent {
  switch (end.kind) {
    case 'result':
      return { type: 'completed', result: end.result }
    case 'lost':
      return lostEvent
    case 'round':
      return failure(new TypeError('the round of a task cannot end'), work) // a task waits for its input
    case 'error':
      return failure(end.error, work)
  }
}

function failure(error: unknown, work: Call): TaskEvent {
  const wireError = isRpcError(error) ? error : reportUnexpected(error, work)
  return { type: 'failed', error: work.caller.codec.encodeError(wireError) }
}

/** A running tool that may become a task. */
export interface TaskRun {
  /** How the work ends. Never rejects. */
  readonly outcome: Promise<RunOutcome>
  /** Settles when it has become a task: on demand, or because it asked for input. */
  readonly turned: Promise<unknown>
  /** It has become a task, or is about to. */
  readonly isTask: boolean
  /** It is about to end its round with an input request, and will not become a task. */
  readonly isEnding: boolean
  /** Turns it into a task; resolves when the task is in the store. */
  become(): Promise<TaskRecord>
}

export interface TaskRunOptions {
  readonly host: TaskService
  readonly tool: TaskTool
  readonly context: CallContext
  readonly run: RunTool
  readonly position: TaskSlot
  readonly keepMs: number
  /** The record of a task that is started again. */
  readonly restarted?: TaskRecord | undefined
}

/** Starts the tool. Until it becomes a task it belongs to its request: it notifies there, and ends with it. */
export async function startRun(options: TaskRunOptions): Promise<TaskRun> {
  const { host, tool, context, position, restarted } = options
  const { call } = context
  const { caller } = call
  const { clock } = caller
  const taskId = restarted?.taskId ?? crypto.randomUUID()
  const starts = restarted?.restart?.starts ?? 1
  const notifications = createTaskNotifications(call, taskId, host.waiters)
  const lifecycle = createTaskLifecycle({
    ...options,
    call,
    taskId,
    starts,
    notifications,
    onAnswers: (answers) => input.take(answers),
    onEnded(status) {
      if (status === 'cancelled') work.abort('caller', taskCancelled().message)
      else work.abort('fenced', 'the task was taken over by another process')
      void finish({ type: 'cancelled' })
    },
  })
  const input = createTaskInput(clock, lifecycle.change, starts > 1 ? `${starts}.` : '')
  const say = createStatusMessages(lifecycle.change)
  const { restartable, annotations } = tool.config
  const lostEvent: TaskEvent = restartable
    ? { type: 'released' }
    : nodeLost(isIdempotent(annotations))
  const deadline = createWorkDeadline(clock, () => work.dueAt, timeOut)
  let isEnding = false
  let early: Progress | undefined // reported before it was a task
  let adopted: Disposable | undefined
  let force: (outcome: RunOutcome) => void = () => undefined
  let turn: (becoming: Promise<unknown>) => void = () => undefined
  const forced = new Promise<RunOutcome>((resolve) => (force = resolve))
  const turned = new Promise<unknown>((resolve) => (turn = resolve))

  const background: BackgroundChannel = {
    get isDetached() {
      return lifecycle.hasStarted
    },
    endRound() {
      isEnding = true
    },
    async ask(method, params = {}, limits) {
      await become()
      return input.ask({ method, params } as InputRequest, limits) // as the codec wrote it
    },
    progress(progress) {
      if (!lifecycle.hasStarted) {
        early = progress
        return call.progress(progress)
      }
      early = undefined
      if (lifecycle.isOver) return done
      notifications.progress(progress)
      return say(progress)
    },
    log(level, data, logger) {
      if (lifecycle.hasStarted) notifications.log(level, data, logger)
      else call.log(level, data, logger)
    },
  }
  const answers: Responder = {
    reply: timeOut,
    reject: () => force({ kind: 'lost' }),
    forget: () => undefined,
  }
  const work = await call.detach(background, caller.detached(deadline.keep), answers)
  const follow = (): void => abortLike(work, call)
  call.signal.addEventListener('abort', follow, { once: true })
  if (call.isAborted) follow()
  const ended = outcomeOf(options.run(new CallContext(work, context.app)))
  void ended.then(position.rest)
  const outcome = Promise.race([forced, ended])

  async function become(): Promise<TaskRecord> {
    const isFirst = !lifecycle.hasStarted
    const starting = lifecycle.start()
    if (!isFirst) return starting
    turn(starting.catch(() => undefined)) // the caller of become() gets the error
    call.signal.removeEventListener('abort', follow)
    try {
      await starting
    } catch (error) {
      work.abort('session', 'the task could not be kept')
      position.leave()
      throw error
    }
    adopted = call.runner?.adopt(work)
    if (early !== undefined) void say(early)
    void outcome.then((end) => finish(toEvent(end, work, lostEvent)))
    return starting
  }

  async function finish(event: TaskEvent): Promise<void> {
    notifications.end()
    work.end()
    deadline[Symbol.dispose]()
    await lifecycle.end(event)
    adopted?.[Symbol.dispose]()
  }

  function timeOut(): void {
    const text = ranOutOfTime(call)
    work.abort('timeout', text)
    force({ kind: 'result', result: { content: [{ type: 'text', text }], isError: true } })
  }

  return {
    outcome,
    turned,
    get isTask() {
      return lifecycle.hasStarted
    },
    get isEnding() {
      return isEnding
    },
    become,
  }
}

/** Work that is not a task yet is aborted with its request, for the same reason. */
function abortLike(work: Call, call: Call): void {
  const reason: unknown = call.signal.reason
  if (isMcpError(reason, 'cancelled')) work.abort(reason.details.by, reason.message)
}

const done = Promise.resolve()
