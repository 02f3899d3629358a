import { replayTranscript, type Transcript, type TurnEvent } from '@parley/host'
import type { JsonObject } from '@parley/mcp'

import { flat, line, shown, type Line, type Look } from './line.ts'
import { flushMarkdown, readMarkdownLine, type MarkdownState } from './markdown-lines.ts'

/** What of a turn is not finished yet. What is finished was written and is never changed. */
export interface Thread {
  /** The last line of the answer, as far as it has come. */
  readonly answer: string
  /** What the finished lines of the answer mean for the next one. */
  readonly markdown: MarkdownState
  /** In the order in which the model asked for them. */
  readonly calls: readonly CallLine[]
}

/** A call of a tool. */
export interface CallLine {
  readonly id: string
  readonly server: string
  readonly tool: string
  readonly arguments: JsonObject
  readonly state: 'asked' | 'running' | 'done' | 'failed' | 'refused'
  readonly progress?: { readonly now: number; readonly total?: number | undefined } | undefined
  /** What it reports, or what came of it. */
  readonly note: string
  /** A program makes it. */
  readonly isInner?: boolean | undefined
}

export const emptyThread: Thread = { answer: '', markdown: {}, calls: [] }

/** What an event changes, and the lines that are finished by it. */
export interface Received {
  readonly thread: Thread
  readonly lines: readonly Line[]
}

/** Total, and pure: the same events give the same lines. */
export function applyEvent(thread: Thread, event: TurnEvent): Received {
  switch (event.type) {
    case 'text': {
      const parts = (thread.answer + event.text).split('\n')
      const answer = parts.pop() ?? ''
      let { markdown } = thread
      const lines: Line[] = []
      for (const part of parts) {
        const read = readMarkdownLine(markdown, part)
        markdown = read.state
        lines.push(...read.lines)
      }
      return { thread: { ...thread, answer, markdown }, lines }
    }
    case 'call': {
      const { id, server, tool, arguments: args } = event
      const isInner = event.program !== undefined
      const call = { id, server, tool, arguments: args, state: 'asked', note: '', isInner } as const
      const flushed = withoutReply(thread)
      return { ...flushed, thread: { ...flushed.thread, calls: [...thread.calls, call] } }
    }
    case 'decision':
      return changeCall(thread, event.id, (call) => {
        if (event.decision === 'deny') return { ...call, state: 'refused', note: event.rule }
        const { arguments: args = call.arguments } = event
        return { ...call, state: 'running', arguments: args }
      })
    case 'progress':
      return changeCall(thread, event.id, (call) => ({
        ...call,
        progress: { now: event.progress, total: event.total },
        note: event.message ?? call.note,
      }))
    case 'result':
      return hearResult(thread, event)
    case 'notice': {
      const { code, server, message } = event
      const whose = server === undefined ? '' : `${flat(server)}: `
      return insert(thread, line(`! ${whose}${flat(message)}`, looks[code] ?? 'warning'))
    }
    case 'server': {
      const { server, state, error } = event
      if (error === undefined || state === 'connecting') return { thread, lines: [] }
      return insert(thread, line(`! ${flat(server)}: ${state}: ${flat(error)}`, 'warning'))
    }
    case 'program':
      return insert(thread, [
        { text: '▸ ', look: 'accent' },
        { text: `program: ${flat(programTitle(event.source), 160)}`, look: 'bold' },
      ])
    case 'log':
      return insert(thread, line(`  ${flat(event.text, 200)}`, 'dim'))
    case 'program-end':
      return hearProgramEnd(thread, event)
    case 'end':
      return hearEnd(thread, event)
    case 'reasoning':
      return { thread, lines: [] }
  }
}

/** The first comment of a program, which says what it does, or else its first line. */
export function programTitle(source: string): string {
  const [first = ''] = source.trim().split('\n')
  return first.replace(/^(?:\/\/|\/\*+)\s*/, '').replace(/\s*\*\/$/, '')
}

function hearProgramEnd(
  thread: Thread,
  { outcome, text, calls }: Extract<TurnEvent, { type: 'program-end' }>,
): Received {
  const isDone = outcome === 'returned'
  const { mark, look } = isDone ? marks.done : marks.failed
  const made = calls === 1 ? '1 call' : `${calls} calls`
  const what = isDone ? `program returned, ${made}` : `program ended (${outcome}), ${made}`
  const { thread: next, lines } = insert(thread, [
    { text: `${mark} `, look },
    { text: what, look: 'bold' },
  ])
  return { thread: next, lines: [...lines, [{ text: `  ${flat(text, 200)}`, look: 'dim' }]] }
}

const looks: { readonly [code: string]: Look } = {
  attached: 'dim',
  'model-retry': 'dim',
  'tools-changed': 'dim',
  'context-trimmed': 'dim',
  sampling: 'dim',
}

/** What a finished call, or one that runs, looks like. */
export function callLines(call: CallLine): readonly Line[] {
  const { server, tool, arguments: args, state, progress, note, isInner = false } = call
  const margin = isInner ? '  ' : ''
  const { mark, look } = marks[state]
  const argumentsText = JSON.stringify(args)
  const head: Line = [
    { text: `${margin}${mark} `, look },
    { text: `${flat(server, 60)} · ${flat(tool, 80)}`, look: 'bold' },
    { text: argumentsText === '{}' ? '' : ` ${flat(argumentsText, 160)}`, look: 'dim' },
  ]
  const now = progress === undefined ? '' : `${progressText(progress)} `
  const text = `${now}${note}`.trim()
  return text === '' ? [head] : [head, [{ text: `${margin}  ${flat(text, 200)}`, look: 'dim' }]]
}

const marks: {
  readonly [state in CallLine['state']]: { readonly mark: string; readonly look: Look }
} = {
  asked: { mark: '?', look: 'warning' },
  running: { mark: '…', look: 'accent' },
  done: { mark: '✓', look: 'good' },
  failed: { mark: '✗', look: 'bad' },
  refused: { mark: '⊘', look: 'warning' },
}

const barWidth = 10

function progressText({ now, total }: NonNullable<CallLine['progress']>): string {
  if (total === undefined || !(total > 0)) return String(now)
  const share = Math.min(1, Math.max(0, now / total))
  const full = Math.round(share * barWidth)
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${Math.round(share * 100)} %`
}

function hearResult(thread: Thread, event: Extract<TurnEvent, { type: 'result' }>): Received {
  const { id, server = 'host', tool, isError, content, wasCalled } = event
  const text = content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`))
  const note = text.join(' ').trim()
  const state = isError ? 'failed' : 'done'
  if (!thread.calls.some((call) => call.id === id)) {
    const own = { id, server, tool, arguments: {}, state, note } as const
    return applyEvent({ ...thread, calls: [...thread.calls, own] }, event)
  }
  return changeCall(
    thread,
    id,
    (call) => {
      const isRejected = call.state === 'refused' && !wasCalled
      return {
        ...call,
        state: isRejected ? 'refused' : state,
        note: isRejected ? call.note : note,
        progress: undefined,
      }
    },
    true,
  )
}

function hearEnd(
  thread: Thread,
  { reason, message }: Extract<TurnEvent, { type: 'end' }>,
): Received {
  const { lines } = withoutReply(thread)
  const calls = thread.calls.flatMap(callLines)
  const end = reason === 'answered' ? [] : [line(`! ${flat(message ?? reason)}`, 'warning')]
  return { thread: emptyThread, lines: [...calls, ...lines, ...end, line('')] }
}

/** Calls are written in their order: one that ended waits for those before it. */
function changeCall(
  thread: Thread,
  id: string,
  change: (call: CallLine) => CallLine,
  isEnd = false,
): Received {
  const calls = thread.calls.map((call) => (call.id === id ? change(call) : call))
  if (!isEnd) return { thread: { ...thread, calls }, lines: [] }
  const open = calls.findIndex(({ state }) => state === 'asked' || state === 'running')
  const ended = open === -1 ? calls.length : open
  return {
    thread: { ...thread, calls: calls.slice(ended) },
    lines: calls.slice(0, ended).flatMap(callLines),
  }
}

function withoutReply(thread: Thread): Received {
  const { answer, markdown } = thread
  const last = answer === '' ? { state: markdown, lines: [] } : readMarkdownLine(markdown, answer)
  // A block of code goes on after a remark within it.
  const state = { fence: last.state.fence }
  return {
    thread: { ...thread, answer: '', markdown: state },
    lines: [...last.lines, ...flushMarkdown(last.state)],
  }
}

/** A remark within an answer stands on its own line, and the answer goes on after it. */
function insert(thread: Thread, remark: Line): Received {
  const { thread: next, lines } = withoutReply(thread)
  return { thread: next, lines: [...lines, remark] }
}

/** What a person said. */
export function saidLines(text: string): readonly Line[] {
  const [first = '', ...rest] = shown(text, 2_000).split('\n')
  const more = rest.map((item): Line => [
    { text: '  ', look: 'dim' },
    { text: item, look: 'bold' },
  ])
  return [
    [
      { text: '> ', look: 'accent' },
      { text: first, look: 'bold' },
    ],
    ...more,
  ]
}

const maxTurns = 20

/** The last turns of a kept conversation. */
export function transcriptLines(transcript: Transcript): readonly Line[] {
  const { entries } = transcript
  const last = entries.at(-1)?.turn ?? 0
  const from = Math.max(1, last - maxTurns + 1)
  const lines: Line[] =
    from === 1
      ? []
      : [line(`… ${from - 1} earlier turns; /export writes all of them to a file`, 'dim')]
  let thread = emptyThread
  for (const entry of entries) {
    if (entry.turn < from) continue
    if (entry.kind === 'message' && entry.message.role === 'user') {
      const texts = entry.message.content.map((part) =>
        part.type === 'text' ? part.text : `(${part.type})`,
      )
      lines.push(...saidLines(texts.join('\n')))
      continue
    }
    for (const event of replayTranscript({ ...transcript, entries: [entry] })) {
      const next = applyEvent(thread, event)
      thread = next.thread
      lines.push(...next.lines)
    }
  }
  return lines
}
