import { isMcpError } from '../../rpc/errors/mcp-error.ts'
import { taskCancelled } from '../../rpc/errors/task-errors.ts'
import type { InputRequest } from '../../schema/input/input.ts'
import type { Progress } from '../../schema/progress.ts'
import type { Answers, Background, Call } from '../calls/call.ts'
import { ranOutOfTime } from '../calls/calls-in-flight.ts'
import { isHarmlessAgain } from '../calls/repeatable.ts'
import { CallContext } from '../context.ts'
import type { RunTool } from '../extensions.ts'
import type { TaskTool } from '../tools/tools.ts'
import { createWorkDeadline, taskCaller } from './background-work.ts'
import { outcomeOf, toEvent, type RunOutcome } from './run-outcome.ts'
import { createStatusMessages } from './status-messages.ts'
import { nodeLost } from './task-access.ts'
import type { TaskHost } from './task-host.ts'
import { createTaskInput } from './task-input.ts'
import { createTaskLifecycle } from './task-lifecycle.ts'
import { createTaskNotifications } from './task-notifications.ts'
import type { TaskPlace } from './task-quota.ts'
import type { TaskEvent } from './task-state.ts'
import type { TaskRecord } from './task-store.ts'

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
  readonly host: TaskHost
  readonly tool: TaskTool
  readonly context: CallContext
  readonly run: RunTool
  readonly place: TaskPlace
  readonly keepMs: number
  /** The record of a task that is started again. */
  readonly restarted?: TaskRecord | undefined
}

/** Starts the tool. Until it becomes a task it belongs to its request: it notifies there, and ends with it. */
export async function startRun(options: TaskRunOptions): Promise<TaskRun> {
  const { host, tool, context, place, restarted } = options
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
      else work.abort('fenced', 'the task was given up elsewhere')
      void finish({ type: 'cancelled' })
    },
  })
  const input = createTaskInput(clock, lifecycle.change, starts > 1 ? `${starts}.` : '')
  const say = createStatusMessages(lifecycle.change)
  const { restartable, annotations } = tool.config
  const lost: TaskEvent = restartable
    ? { type: 'released' }
    : nodeLost(isHarmlessAgain(annotations))
  const deadline = createWorkDeadline(clock, () => work.dueAt, timeOut)
  let isEnding = false
  let early: Progress | undefined // reported before it was a task
  let adopted: Disposable | undefined
  let force: (outcome: RunOutcome) => void = () => undefined
  let turn: (becoming: Promise<unknown>) => void = () => undefined
  const forced = new Promise<RunOutcome>((resolve) => (force = resolve))
  const turned = new Promise<unknown>((resolve) => (turn = resolve))

  const background: Background = {
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
  const answers: Answers = {
    reply: timeOut,
    refuse: () => force({ kind: 'lost' }),
    forget: () => undefined,
  }
  const work = await call.detach(background, taskCaller(caller, deadline.keep), answers)
  const follow = (): void => abortLike(work, call)
  call.signal.addEventListener('abort', follow, { once: true })
  if (call.isAborted) follow()
  const ended = outcomeOf(options.run(new CallContext(work, context.app)))
  void ended.then(place.rest)
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
      place.leave()
      throw error
    }
    adopted = call.host?.adopt(work)
    if (early !== undefined) void say(early)
    void outcome.then((end) => finish(toEvent(end, work, lost)))
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
