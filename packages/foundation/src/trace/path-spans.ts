import type { PathEvent } from './path-event.ts'
import { createAnswerers } from './path-input.ts'
import { levels, type PathWho, type Span } from './path-segment.ts'
import type { PathNode } from './path-tree.ts'

/** The events below a call, sorted by what they say about its time. */
export interface CallContextParts {
  /** The call itself, its rounds, and what was asked about its task; in order. */
  readonly exchanges: readonly PathNode[]
  /** The server's requests to us. */
  readonly questions: readonly PathNode[]
  readonly notifications: readonly PathEvent[]
}

/** More reports of progress are thinned out. */
const maxReports = 20

/** Walks a tree of any depth. */
export function partsOf(call: PathNode): CallContextParts {
  const exchanges: PathNode[] = []
  const questions: PathNode[] = []
  const notifications: PathEvent[] = []
  const open = [call]
  for (let node = open.pop(); node; node = open.pop()) {
    const { entry, children } = node
    if (entry.role === 'notification') notifications.push(entry)
    if (entry.role === 'request' && entry.kind === 'message') {
      if (entry.direction === 'in' && node !== call) questions.push(node)
      else exchanges.push(node)
    }
    for (const child of children) open.push(child)
  }
  const inOrder = (a: PathEvent, b: PathEvent) => a.seq - b.seq
  return {
    exchanges: exchanges.toSorted((a, b) => inOrder(a.entry, b.entry)),
    questions,
    notifications: notifications.toSorted(inOrder),
  }
}

/** Everything that claims a part of the time of a call of ours. */
export function spansOf(
  parts: CallContextParts,
  marks: readonly PathEvent[],
  end: number,
): readonly Span[] {
  const { exchanges, questions, notifications } = parts
  const answerers = createAnswerers(marks)
  const responses = exchanges.filter(({ entry }) => entry.hint?.tag === 'gives')
  const hasRounds = exchanges.some(({ entry }) => isRound(entry))
  const spans: Span[] = []
  let round = 1
  for (const [index, { entry, answer, children }] of exchanges.entries()) {
    if (isRound(entry)) round += 1
    const isCall = index === 0 || isRound(entry)
    const to = answer?.time ?? end
    if (index > 0 || hasRounds) {
      const what = isCall ? `round ${round}: the server works` : pollText(entry)
      spans.push(span(levels.exchange, entry.time, to, entry.seq, 'server', what))
    }
    const lead = !isCall ? `${entry.label}, ` : hasRounds ? `round ${round}, ` : ''
    for (const made of httpSpans(entry, answer, children, marks)) {
      spans.push({ ...made, what: `${lead}${made.what}` })
    }
    const { hint } = answer ?? {}
    if (hint?.tag === 'task' && index === 0) {
      spans.push(span(levels.task, to, end, entry.seq, 'server', 'the task works'))
    }
    if (answer && (hint?.tag === 'asks' || (hint?.tag === 'task' && hint.asks))) {
      const next = responses.find((candidate) => candidate.entry.seq > answer.seq)
      spans.push(...answerers.round(answer, next?.entry, end))
    }
  }
  const byAnswer = questions.toSorted(
    (a, b) => (a.answer?.seq ?? Infinity) - (b.answer?.seq ?? Infinity),
  )
  for (const question of byAnswer) spans.push(...answerers.question(question, end))
  return [...spans, ...progressSpans(exchanges[0]?.entry, notifications)]
}

/** Another round of the call itself; what is given to a task is none. */
function isRound({ hint, label }: PathEvent): boolean {
  return hint?.tag === 'gives' && !label.startsWith('tasks/')
}

function pollText({ label }: PathEvent): string {
  return label === 'tasks/result' ? 'tasks/result: the task works' : `${label}: the server answers`
}

/** Progress cuts the time of the server into what it reported on. */
function progressSpans(
  call: PathEvent | undefined,
  notifications: readonly PathEvent[],
): readonly Span[] {
  if (!call) return []
  const reports = notifications.filter(({ label }) => label === 'notifications/progress')
  const every = Math.ceil(reports.length / maxReports)
  let { time } = call
  return reports
    .filter((_, index) => (index + 1) % every === 0)
    .map((report) => {
      const what = `the server works, until progress${report.subject && `: ${report.subject}`}`
      const made = span(levels.progress, time, report.time, report.seq, 'server', what)
      time = report.time
      return made
    })
}

/** Returns the spans of a request over HTTP: until it left, until headers came, the body, and between two attempts. */
function httpSpans(
  request: PathEvent,
  answer: PathEvent | undefined,
  children: readonly PathNode[],
  marks: readonly PathEvent[],
): readonly Span[] {
  const spans: Span[] = []
  const attempts = children.filter(({ entry }) => entry.kind === 'http' && entry.role === 'request')
  let before: PathEvent | undefined
  for (const { entry, answer: headers } of attempts) {
    if (!before) {
      const what = 'the client prepares the request'
      spans.push(span(levels.http, request.time, entry.time, request.seq, 'client', what))
    } else if (before.hint?.tag === 'http' && before.hint.isFailed) {
      const [who, what] = pauseOf(before, entry, marks)
      spans.push(span(levels.http, before.time, entry.time, entry.seq, who, what))
    }
    before = headers
    if (headers?.hint?.tag !== 'http') continue
    const { isFailed, isStream } = headers.hint
    const isDisconnected = isFailed && /^\D/.test(headers.subject) // no status came
    const what = isDisconnected ? 'HTTP: the request fails' : 'HTTP: until the headers'
    const who = isDisconnected ? 'network' : 'server'
    spans.push(span(levels.http, entry.time, headers.time, entry.seq, who, what))
    if (!isFailed && !isStream && answer) {
      spans.push(
        span(levels.http, headers.time, answer.time, entry.seq, 'network', 'HTTP: the body'),
      )
    }
  }
  return spans
}

function pauseOf(
  before: PathEvent,
  after: PathEvent,
  marks: readonly PathEvent[],
): readonly [PathWho, string] {
  const steps = marks.filter(
    ({ kind, seq }) => kind === 'auth' && seq > before.seq && seq < after.seq,
  )
  if (steps.some(({ hint }) => hint?.tag === 'browser')) return ['person', 'a person signs in']
  if (steps.length > 0) return ['network', 'the client signs in']
  return ['client', 'the client waits before it tries again']
}

function span(
  level: number,
  from: number,
  to: number,
  seq: number,
  who: PathWho,
  what: string,
): Span {
  return { level, from, to, seq, who, what }
}
