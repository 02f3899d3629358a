import { formatDuration, safeJson } from '@parley/foundation/terminal'
import {
  exchangesOf,
  writeTrace,
  type Exchange,
  type TraceRecord,
  type TraceRecorder,
} from '@parley/foundation/trace'

import { flat, line, type Line } from '../line.ts'
import type { CommandContext } from './command.ts'
import { writeNewFile } from './new-file.ts'

const maxListed = 20
/** Records that are looked at, the newest. */
const maxRecords = 5_000
/** Lines of one message; the rest is in the file that `/trace save` writes. */
const maxLines = 200

/** The newest requests between the chat and its servers, one of them whole, or all as a file. */
export async function trace(words: readonly string[], context: CommandContext): Promise<void> {
  const { chat, print } = context
  const [first, ...rest] = words
  if (first === 'save') return save(rest.join(' '), chat.trace, context)
  const exchanges = exchangesOf(newest(chat.trace))
  if (first !== undefined && /^\d+$/.test(first)) {
    return print(exchangeLines(exchanges, Number(first)))
  }
  const server = words.join(' ')
  const exists = chat.host.servers.some(({ name }) => name === server)
  if (first !== undefined && !exists) {
    throw new Error(`there is no server ${server}: write /trace, a server, a number, or save FILE`)
  }
  const wanted = exchanges.filter(
    ({ request }) => first === undefined || request.connection === server,
  )
  if (wanted.length === 0) return print([line('nothing was sent yet', 'dim')])
  print([
    ...wanted.slice(-maxListed).map(summaryLine),
    line('/trace NUMBER shows one whole, /trace save FILE.jsonl writes all of them', 'dim'),
  ])
}

function newest(recorder: TraceRecorder): readonly TraceRecord[] {
  const after = Math.max(recorder.first - 1, recorder.last - maxRecords)
  return recorder.page(after, maxRecords)
}

function summaryLine({ request, method, name = '', durationMs, ...rest }: Exchange): Line {
  const { seq, direction, connection } = request
  const { error, isProbe, isToolError, ended, answer } = rest
  const isBad = (error !== undefined && !isProbe) || isToolError
  const took = durationMs === undefined ? '' : ` ${formatDuration(durationMs)}`
  const outcome = isBad
    ? error === undefined
      ? 'tool error'
      : `error: ${flat(messageOf(error), 120)}`
    : answer === undefined
      ? (ended ?? 'waiting')
      : 'ok'
  return [
    { text: `${String(seq).padStart(5)} `, look: 'accent' },
    { text: direction === 'in' ? '← ' : '→ ', look: direction === 'in' ? 'good' : 'plain' },
    { text: flat(connection, 60), look: 'bold' },
    { text: ` ${flat(method, 80)} ${flat(name, 100)}`.trimEnd(), look: 'plain' },
    { text: `  ${outcome}`, look: isBad ? 'bad' : 'dim' },
    { text: took, look: 'dim' },
  ]
}

function messageOf({ message }: NonNullable<Exchange['error']>): string {
  return typeof message === 'string' ? message : JSON.stringify(message ?? null)
}

function exchangeLines(exchanges: readonly Exchange[], number: number): readonly Line[] {
  const found = exchanges.find(
    ({ request, answer }) => request.seq === number || answer?.seq === number,
  )
  if (found === undefined) throw new Error(`there is no request ${number}: /trace lists them`)
  const { request, answer } = found
  return [
    summaryLine(found),
    ...messageLines(request),
    ...(answer === undefined ? [line('no answer', 'dim')] : messageLines(answer)),
  ]
}

function messageLines({ direction, message, bytes }: TraceRecord): readonly Line[] {
  const lines = safeJson(message, 2).split('\n')
  const size = bytes === undefined ? '' : `, ${bytes} bytes`
  return [
    line(`${direction === 'in' ? '← received' : '→ sent'}${size}`, 'dim'),
    ...lines.slice(0, maxLines).map((item) => line(`  ${item}`)),
    ...(lines.length > maxLines ? [line(`  … ${lines.length - maxLines} more lines`, 'dim')] : []),
  ]
}

async function save(
  name: string,
  recorder: TraceRecorder,
  { cwd, print }: CommandContext,
): Promise<void> {
  if (name === '') throw new Error('name a file: /trace save FILE.jsonl')
  const records = recorder.page(recorder.first - 1, recorder.limit)
  const path = await writeNewFile(cwd, name, writeTrace(records))
  print([
    line(`${records.length} records, secrets masked, are in ${flat(path, 500)}`, 'dim'),
    line('parley trace view FILE and the Inspector show it', 'dim'),
  ])
}
