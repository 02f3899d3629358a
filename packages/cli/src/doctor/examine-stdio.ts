import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { env } from 'node:process'

import { findProgram } from '@parley/mcp/system'

import { reasonOf } from '../check/why-silent.ts'
import { excerpt, member } from '../json.ts'
import type { RawLink } from '../probe/exchange.ts'
import { openStdioLink, type StdioCommand } from '../probe/stdio-link.ts'
import { replyProblem } from './answer-fault.ts'
import { examineLists } from './examine-lists.ts'
import { agreedRevision, examineNegotiation } from './examine-negotiation.ts'
import { openingOf, timeLimitOf, requestFor, type Examining } from './examining.ts'
import { bad, good, warning, type Step } from './step.ts'

/** From the command's file to the end of its process. */
export async function* examineStdio(
  command: StdioCommand,
  examining: Examining = {},
): AsyncGenerator<Step> {
  const found = examineCommand(command)
  yield found
  if (found.state === 'bad') return

  const started = performance.now()
  const open = () => openStdioLink(command, examining.options)
  const opened = await open().catch((error: unknown) => reasonOf(error))
  if (typeof opened === 'string') {
    yield bad('starting', opened, 'Run the command yourself to see why it does not start.')
    return
  }
  await using link = opened
  const first = openingOf(examining).message
  const opening = await link.exchange(first, { waitMs: 30_000 })
  const ms = Math.round(performance.now() - started)
  if (opening.ended === 'closed') {
    yield bad(
      'starting',
      'the command exited before it answered',
      'Run the command yourself and read its standard error.',
      lastLines(link),
    )
    return
  }
  if (opening.answer === undefined) {
    yield bad(
      'starting',
      `no answer to ${excerpt(first['method'], 40)} in ${timeLimitOf(30_000, examining)}${saidBy(link)}`,
      'Check that it is an MCP server, and that it does not wait for other input.',
      lastLines(link),
    )
    return
  }
  const problem = replyProblem(opening)
  if (problem) {
    yield bad('the first answer', problem.seen, problem.fix)
    return
  }
  yield ms > 5_000
    ? warning(
        'starting',
        `the first answer took ${ms} ms`,
        'Clients give up after a while: install it once instead of running npx or uvx at each start.',
      )
    : good('starting', `first answer after ${ms} ms`)
  const negotiation = await examineNegotiation(opening, { kind: 'stdio', open }, examining)
  yield negotiation

  const noise = noiseOf(link)
  yield noise === undefined
    ? good('standard output', 'only messages')
    : bad(
        'standard output',
        `something other than messages: ${excerpt(noise, 100)}`,
        'Log to standard error: console.error, or logging.StreamHandler(sys.stderr) [STDIO-07].',
      )
  if (agreedRevision(opening) !== undefined) {
    await link.exchange({ jsonrpc: '2.0', method: 'notifications/initialized' }, { waitMs: 1 })
  }
  yield* examineLists(member(opening.answer['result'], 'capabilities'), (method) =>
    link.exchange(requestFor(method, opening, examining).message),
  )
  // Where there was no handshake there is no ping either; and who refused one need not answer anything.
  if (agreedRevision(opening) !== undefined) {
    const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' }
    const pong = await link.exchange(ping, { waitMs: 5_000 })
    yield pong.answer?.['result'] === undefined
      ? bad('answering', 'ping was not answered', 'Answer ping with {}.')
      : good('answering', 'ping is answered')
  }
  yield (await link.endInput?.(5_000)) === false
    ? bad(
        'ending',
        'it still runs five seconds after its input ended',
        'Exit when standard input ends, or clients leave processes behind.',
      )
    : good('ending', 'it exits when its input ends')
}

/** What a server that does not answer says instead. */
function saidBy(link: RawLink): string {
  const noise = noiseOf(link)
  return noise === undefined ? '' : `; to standard output it wrote ${excerpt(noise, 100)}`
}

/** The end of what it wrote to standard error. */
function lastLines(link: RawLink): readonly string[] {
  const words = (link.lastWords?.() ?? '').replace(/^: /, '')
  return words === '' ? [] : words.split('\n').slice(-10)
}

/** The first thing on standard output that is no message, and no empty line if there is another. */
function noiseOf(link: RawLink): string | undefined {
  const lines = link.noise?.() ?? []
  return lines.find((line) => line.trim() !== '') ?? lines[0]
}

/** Whether there is such a program, and a usual mistake in how it is named. */
function examineCommand({ command, args = [], cwd = '.', env: own = {} }: StdioCommand): Step {
  const title = `the command ${command}`
  const isPath = command.includes('/') || command.includes('\\')
  const found = findProgram(command, { env: { ...env, ...own }, cwd: resolve(cwd) })
  if (found.kind === 'missing') {
    const isLine = command.includes(' ')
    const fix = isLine
      ? 'Put arguments into args: command is the program alone.'
      : isPath
        ? 'Use the full path, and make it executable.'
        : `Install ${command}, or use its full path: programs started by a desktop often have a shorter PATH.`
    return bad(title, isPath ? 'the program does not exist' : 'it is not on PATH', fix)
  }
  const script = args.find((argument) => /\.(?:[cm]?[jt]s|py)$/.test(argument))
  if (script !== undefined && !existsSync(resolve(cwd, script))) {
    return bad(
      title,
      `file not found: ${script}`,
      'Use the full path: clients may start it in another working directory.',
    )
  }
  return good(title, found.file)
}
