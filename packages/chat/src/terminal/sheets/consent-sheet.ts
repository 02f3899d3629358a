import { parseJson } from '@parley/foundation/forms'
import type { ConsentAnswer, ConsentQuestion } from '@parley/host'
import type { JsonObject } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { differenceLines } from '../differences.ts'
import { flat, line, paragraph, wrapLine, type Line } from '../line.ts'
import { keyLine, wordOf, type Sheet, type SheetStep } from './sheet.ts'
import { editorSheet } from './text-editor.ts'

interface ConsentState {
  readonly calls: readonly ConsentQuestion[]
  readonly answers: readonly (ConsentAnswer | undefined)[]
  /** Arguments a person changed, and has not decided about yet. */
  readonly edited: readonly (JsonObject | undefined)[]
  readonly at: number
  readonly isDescribed: boolean
  readonly isUnfolded: boolean
}

/** Asks about calls that the model wants: one after the other, with all of them in view. */
export function consentSheet(calls: readonly ConsentQuestion[]): Sheet {
  const none = calls.map(() => undefined)
  return sheetOf({
    calls,
    answers: none,
    edited: none,
    at: 0,
    isDescribed: false,
    isUnfolded: false,
  })
}

function sheetOf(state: ConsentState): Sheet {
  const { calls, at } = state
  const question = calls[at]
  return {
    lines(width) {
      if (question === undefined) return []
      return [...overview(state, width), ...questionLines(question, state.edited[at], state, width)]
    },
    keys: keyLine(keysOf(state)),
    press: (key) => press(state, wordOf(key)),
  }
}

function keysOf({ calls, at, answers }: ConsentState): readonly (readonly [string, string])[] {
  const most = calls[at]?.maxRemembered ?? 'always'
  const open = answers.filter((answer) => answer === undefined).length
  return [
    ['y', 'once'],
    ...(most === 'once' || calls[at]?.call.program === undefined
      ? []
      : [['p', 'this program'] as const]),
    ...(most === 'once' ? [] : [['s', 'this session'] as const]),
    ...(most === 'always'
      ? [['a', 'always'] as const, ['A', 'always, all of this server'] as const]
      : []),
    ['n', 'no'],
    ['N', 'never'],
    ['e', 'edit'],
    ['d', 'description'],
    ['f', 'all of it'],
    ...(calls.length > 1 ? [['↑↓', 'other call'] as const] : []),
    ...(open > 1 ? [['Y', 'all once'] as const, ['X', 'none'] as const] : []),
    ['Esc', 'stop'],
  ]
}

const decisions: { readonly [key: string]: ConsentAnswer } = {
  y: { decision: 'allow', remember: 'once' },
  p: { decision: 'allow', remember: 'program' },
  s: { decision: 'allow', remember: 'session' },
  a: { decision: 'allow', remember: 'always', scope: 'tool' },
  A: { decision: 'allow', remember: 'always', scope: 'server' },
  n: { decision: 'deny', remember: 'once' },
  N: { decision: 'deny', remember: 'always' },
}

const ranks = { once: 0, program: 1, session: 2, always: 3 } as const

function press(state: ConsentState, word: string): SheetStep | undefined {
  const { calls, at } = state
  const question = calls[at]
  if (question === undefined) return undefined
  const to = (change: Partial<ConsentState>): SheetStep => ({
    kind: 'sheet',
    sheet: sheetOf({ ...state, ...change }),
  })
  switch (word) {
    case 'escape':
      return { kind: 'stop' }
    case 'd':
      return to({ isDescribed: !state.isDescribed })
    case 'f':
      return to({ isUnfolded: !state.isUnfolded })
    case 'tab':
    case 'down':
      return calls.length === 1 ? undefined : to({ at: (at + 1) % calls.length })
    case 'back-tab':
    case 'up':
      return calls.length === 1 ? undefined : to({ at: (at + calls.length - 1) % calls.length })
    case 'e':
      return { kind: 'sheet', sheet: argumentsEditor(state, question) }
    case 'Y':
    case 'X': {
      const rest = decisions[word === 'Y' ? 'y' : 'n']
      const answers = state.answers.map((answer, index) =>
        answer === undefined && rest !== undefined ? withEdited(rest, state.edited[index]) : answer,
      )
      return finished({ ...state, answers })
    }
    default: {
      const answer = Object.hasOwn(decisions, word) ? decisions[word] : undefined
      if (answer === undefined) return undefined
      const isTooLong =
        answer.decision === 'allow' &&
        ranks[answer.remember ?? 'once'] > ranks[question.maxRemembered ?? 'always']
      const isRemote = answer.remember === 'program' && question.call.program === undefined
      if (isTooLong || isRemote) return undefined
      const answers = state.answers.with(at, withEdited(answer, state.edited[at]))
      return finished({ ...state, answers })
    }
  }
}

function withEdited(answer: ConsentAnswer, edited: JsonObject | undefined): ConsentAnswer {
  return answer.decision === 'allow' && edited !== undefined
    ? { ...answer, arguments: edited }
    : answer
}

/** The answers if there is one for each call, else the next question. */
function finished(state: ConsentState): SheetStep {
  const { answers, at } = state
  const complete = answers.filter((answer) => answer !== undefined)
  if (complete.length === answers.length) {
    return { kind: 'answer', answer: { kind: 'consent', answers: complete } }
  }
  const next = answers.findIndex((answer, index) => answer === undefined && index > at)
  const open = next === -1 ? answers.indexOf(undefined) : next
  return { kind: 'sheet', sheet: sheetOf({ ...state, at: open, isDescribed: false }) }
}

function argumentsEditor(state: ConsentState, { call }: ConsentQuestion): Sheet {
  const editing = state.edited[state.at] ?? call.arguments
  return editorSheet(JSON.stringify(editing, undefined, 2), {
    title: `Arguments of ${flat(call.tool.name)}, as JSON`,
    accept(text) {
      const { value, fault: problem } = parseJson(text)
      if (problem !== undefined) return { problem }
      if (!isJsonObject(value)) return { problem: 'the arguments must be one JSON object: { … }' }
      const edited = state.edited.with(state.at, value)
      return { step: { kind: 'sheet', sheet: sheetOf({ ...state, edited }) } }
    },
    cancel: () => sheetOf(state),
  })
}

/** Of several calls, all in one look. */
function overview({ calls, answers, at }: ConsentState, width: number): readonly Line[] {
  if (calls.length === 1) return [line('Allow this call?', 'bold')]
  return [
    line(
      `The model wants ${calls.length} calls. Allow this one? (${at + 1} of ${calls.length})`,
      'bold',
    ),
    ...calls.flatMap(({ call }, index) => {
      const answer = answers[index]
      const mark = answer === undefined ? '?' : answer.decision === 'allow' ? '✓' : '⊘'
      const text = `${index === at ? '▸' : ' '} ${mark} ${flat(call.server, 40)} · ${flat(call.tool.name, 60)} ${flat(JSON.stringify(call.arguments), 60)}`
      return wrapLine(line(text, index === at ? 'plain' : 'dim'), width).slice(0, 1)
    }),
    line(''),
  ]
}

function questionLines(
  { call, reason, changes = [], warnings }: ConsentQuestion,
  edited: JsonObject | undefined,
  { isDescribed, isUnfolded }: ConsentState,
  width: number,
): readonly Line[] {
  const { server, tool, serverDefinition, arguments: args } = call
  const title = tool.title === undefined ? '' : ` (${flat(tool.title, 80)})`
  const where = serverDefinition === undefined ? '' : originOf(serverDefinition)
  return [
    ...wrapLine(
      [
        { text: `${flat(server, 80)} · ${flat(tool.name, 120)}`, look: 'accent' },
        { text: title, look: 'plain' },
      ],
      width,
    ),
    ...(where === '' ? [] : paragraph(where, width, 'dim', '  ')),
    ...paragraph(`Asked because: ${reason}`, width, 'dim', '  '),
    ...claimLines(tool.annotations ?? {}, width),
    ...warnings.flatMap((warning) => paragraph(`! ${warning}`, width, 'warning', '  ')),
    ...changes.flatMap(({ what, before, after }) => [
      ...paragraph(
        `${what === 'tool' ? 'The definition of this tool' : 'This server'} changed since you allowed it:`,
        width,
        'warning',
        '  ',
      ),
      ...differenceLines(before, after).flatMap((item) => wrapLine(item, width)),
    ]),
    ...(isDescribed
      ? paragraph(tool.description ?? '(it has no description)', width, 'plain', '  │ ')
      : []),
    line(edited === undefined ? 'Arguments' : 'Arguments, changed by you', 'dim'),
    ...paragraph(argumentText(edited ?? args, isUnfolded), width, 'plain', '  '),
  ]
}

/** What a server says of its tool is its claim. */
function claimLines(
  hints: NonNullable<ConsentQuestion['call']['tool']['annotations']>,
  width: number,
): readonly Line[] {
  const { readOnlyHint, destructiveHint, openWorldHint, idempotentHint } = hints
  const mild = [
    ...(readOnlyHint === true ? ['it only reads'] : []),
    ...(idempotentHint === true ? ['doing it twice changes nothing more'] : []),
  ]
  const strong = [
    ...(destructiveHint === true ? ['it may destroy something'] : []),
    ...(openWorldHint === true ? ['it reaches the outside world'] : []),
  ]
  return [
    ...(strong.length > 0
      ? paragraph(`! The server says: ${strong.join(', ')}`, width, 'warning', '  ')
      : []),
    ...(mild.length > 0
      ? paragraph(`The server says: ${mild.join(', ')} (a claim)`, width, 'dim', '  ')
      : []),
  ]
}

function originOf({ url, command, args }: JsonObject): string {
  if (typeof url === 'string') return url
  if (typeof command !== 'string') return ''
  return [command, ...(Array.isArray(args) ? args.map(String) : [])].join(' ')
}

const maxFolded = 300

/** Exactly what would be sent; long texts are folded, with their size, until somebody wants to see them. */
function argumentText(args: JsonObject, isUnfolded: boolean): string {
  const folded = (_: string, value: unknown): unknown =>
    typeof value === 'string' && value.length > maxFolded && !isUnfolded
      ? `${value.slice(0, maxFolded)}… (${value.length - maxFolded} more characters: f shows all)`
      : value
  return JSON.stringify(args, folded, 2)
}
