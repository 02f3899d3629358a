/**
 * The thread that runs programs: one after another, each in an engine of its own. It sends calls in the message of the moment in
 * which the program waits, at most `openCalls` at a time.
 */

import { parentPort, workerData } from 'node:worker_threads'

import { createEngine, type Engine, type EngineStep } from './engine.ts'
import type { AnswerMessage, CallMessage, FromWorker, ToWorker, WorkerData } from './messages.ts'

const port = parentPort
if (port === null) throw new Error('this module is the entry of a thread')
const { module, watch: shared } = workerData as WorkerData // as `create-sandbox.ts` starts it
const watch = new Int32Array(shared)

interface Running {
  readonly engine: Engine
  readonly openCalls: number
  readonly queued: CallMessage[]
  readonly tellsWaiting: boolean
  open: number
  answered: number
}

let running: Running | undefined

port.on('message', (message: ToWorker) => {
  if (message.type === 'run') void start(message)
  else give(message.answers)
})

async function start({
  program,
  tools,
  args,
  clock,
  limits,
  tellsWaiting,
}: Extract<ToWorker, { type: 'run' }>): Promise<void> {
  const log = (text: string) => send({ type: 'log', text })
  const show = (ref: string) => send({ type: 'show', ref })
  const engine = await createEngine({ module, watch, limits, tools, args, clock, log, show })
  running = { engine, openCalls: limits.openCalls, queued: [], open: 0, answered: 0, tellsWaiting }
  take(running, engine.start(program))
}

/** One after another, each until the program waits: so a program runs the same way when answers come together. */
function give(answers: readonly AnswerMessage[]): void {
  for (const answer of answers) {
    if (running === undefined) return
    running.open -= 1
    running.answered += 1
    queue(running, running.engine.give(answer))
  }
  if (running !== undefined) flush(running)
}

function take(run: Running, step: EngineStep): void {
  queue(run, step)
  if (running !== undefined) flush(run)
}

function queue(run: Running, { calls, end }: EngineStep): void {
  run.queued.push(...calls)
  if (end !== undefined) finish(run, end)
}

function flush(run: Running): void {
  const calls = run.queued.splice(0, run.openCalls - run.open)
  run.open += calls.length
  const { answered, tellsWaiting } = run
  if (calls.length === 0 && run.open === 0) finish(run, { kind: 'stuck' })
  else if (calls.length > 0 || tellsWaiting) send({ type: 'calls', calls, answered })
}

function finish(run: Running, end: Extract<FromWorker, { type: 'end' }>['end']): void {
  running = undefined
  const { cpuMs, calls } = run.engine
  send({ type: 'end', end, cpuMs, calls, notAwaited: run.open + run.queued.length })
}

function send(message: FromWorker): void {
  port?.postMessage(message, [])
}
