import {
  defaultsOf,
  describeForm,
  edit,
  issuesOf,
  parseJson,
  type FormNode,
} from '@parley/foundation/forms'
import type { QuestionAnswer, ServerQuestion } from '@parley/host'
import type { JsonValue } from '@parley/mcp'

import { composerLines } from '../composer-lines.ts'
import { composerWith, editText, wholeText, type Composer } from '../composer.ts'
import type { Key } from '../key-reader.ts'
import { flat, line, paragraph, type Line } from '../line.ts'
import { keyLine, wordOf, type Sheet, type SheetStep } from './sheet.ts'

type FormQuestion = Extract<ServerQuestion, { mode: 'form' }>

interface FormState {
  readonly question: FormQuestion
  readonly value: JsonValue
  /** Which field; as many as there are means: all were seen, send it? */
  readonly at: number
  /** For fields that are written. */
  readonly composer: Composer
  /** For fields that are chosen. */
  readonly selected: number
  readonly problem: string
}

/** A form of a server, field by field, and a last look before it is sent. */
export function formSheet(question: FormQuestion): Sheet {
  const value = defaultsOf(question.schema)
  return sheetOf(
    atField({ question, value, at: 0, composer: composerWith(''), selected: 0, problem: '' }, 0),
  )
}

function fieldsOf({ question, value }: FormState): readonly FormNode[] {
  const form = describeForm(question.schema, value)
  return form.kind === 'object' ? form.members : [form]
}

/** Goes to a field, with what is in it. */
function atField(state: FormState, at: number): FormState {
  const node = fieldsOf(state)[at]
  const moved = { ...state, at, problem: '', composer: composerWith(''), selected: 0 }
  if (node === undefined) return moved
  switch (node.kind) {
    case 'choice':
      return { ...moved, selected: Math.max(0, node.selected) }
    case 'text':
      return { ...moved, composer: composerWith(node.value ?? '') }
    case 'number':
      return {
        ...moved,
        composer: composerWith(node.value === undefined ? '' : String(node.value)),
      }
    case 'boolean':
    case 'choices':
      return moved
    case 'object':
    case 'array':
    case 'union':
    case 'json':
      return {
        ...moved,
        composer: composerWith(
          node.presence === 'absent' ? '' : JSON.stringify(valueOf(state.value, node)),
        ),
      }
  }
}

function valueOf(value: JsonValue, { path }: FormNode): JsonValue {
  return path.reduce<JsonValue>((part, step) => {
    const isThere = typeof part === 'object' && part !== null && Object.hasOwn(part, step)
    return isThere ? ((part as { readonly [key: string]: JsonValue })[step] ?? null) : null // an own member
  }, value)
}

function sheetOf(state: FormState): Sheet {
  const fields = fieldsOf(state)
  const node = fields[state.at]
  const isWritten = node !== undefined && !isChosen(node)
  return {
    lines: (width) => [
      line(`${flat(state.question.server, 80)} asks`, 'bold'),
      ...paragraph(state.question.message, width, 'plain', '  │ '),
      ...state.question.warnings.flatMap((warning) =>
        paragraph(`! ${warning}`, width, 'warning', '  '),
      ),
      ...(node === undefined
        ? reviewLines(state, fields, width)
        : fieldLines(state, node, fields.length, width)),
      ...(state.problem === '' ? [] : paragraph(`! ${state.problem}`, width, 'bad', '  ')),
    ],
    editor: isWritten
      ? {
          lines: (width): readonly Line[] =>
            composerLines(hidden(state.composer, node), width, '  > '),
        }
      : undefined,
    keys: keyLine(keysOf(state, node)),
    press: (key) => press(state, fields, key),
  }
}

/** What nobody beside should read. */
function hidden(composer: Composer, node: FormNode): Composer {
  if (node.kind !== 'text' || !node.isSecret) return composer
  return { ...composer, text: '•'.repeat(composer.text.length) }
}

function isChosen({ kind }: FormNode): boolean {
  return kind === 'choice' || kind === 'choices' || kind === 'boolean'
}

function keysOf(
  { at }: FormState,
  node: FormNode | undefined,
): readonly (readonly [string, string])[] {
  const back = at > 0 ? [['Shift-Tab', 'back'] as const] : []
  const others = [
    ...back,
    ['Ctrl-N', 'decline'] as const,
    ['Ctrl-X', 'decline all in this session'] as const,
    ['Esc', 'close'] as const,
  ]
  if (node === undefined) return [['Enter', 'send it'], ...others]
  if (node.kind === 'boolean') return [['y', 'yes'], ['n', 'no'], ...skipKey(node), ...others]
  if (node.kind === 'choice')
    return [['↑↓', 'choose'], ['Enter', 'next'], ...skipKey(node), ...others]
  if (node.kind === 'choices') return [['↑↓ Space', 'choose'], ['Enter', 'next'], ...others]
  return [['Enter', 'next'], ...others]
}

function skipKey({ required }: FormNode): readonly (readonly [string, string])[] {
  return required ? [] : [['Tab', 'leave it out']]
}

function press(state: FormState, fields: readonly FormNode[], key: Key): SheetStep | undefined {
  const word = wordOf(key)
  if (word === 'escape') return answered({ action: 'cancel' })
  if (word === 'ctrl-n') return answered({ action: 'decline' })
  if (word === 'ctrl-x') return answered({ action: 'decline', remember: 'session' })
  if (word === 'back-tab') return state.at === 0 ? undefined : to(atField(state, state.at - 1))
  const node = fields[state.at]
  if (node === undefined) return word === 'enter' ? send(state, fields) : undefined
  switch (node.kind) {
    case 'boolean':
      if (word === 'y' || word === 'n') return next(state, node, word === 'y')
      if (word === 'enter' && node.value !== undefined) return next(state, node, node.value)
      return word === 'tab' && !node.required ? next(state, node, undefined) : undefined
    case 'choice': {
      if (word === 'tab') return node.required ? undefined : next(state, node, undefined)
      if (word === 'enter') return next(state, node, node.options[state.selected]?.value)
      return move(state, node.options.length, word)
    }
    case 'choices': {
      if (word === 'enter' || word === 'tab') return next(state, node, [...(node.value ?? [])])
      if (word !== ' ') return move(state, node.options.length, word)
      const option = node.options[state.selected]
      if (option === undefined) return undefined
      const chosen = node.value ?? []
      const isOn = chosen.includes(option.value)
      const now = isOn
        ? chosen.filter((candidate) => candidate !== option.value)
        : [...chosen, option.value]
      return to({ ...state, value: changed(state.value, node, now) })
    }
    case 'text':
    case 'number':
    case 'object':
    case 'array':
    case 'union':
    case 'json': {
      if (word === 'enter' || word === 'tab') return written(state, node)
      const composer = editText(state.composer, key)
      return composer === undefined ? undefined : to({ ...state, composer, problem: '' })
    }
  }
}

function move(state: FormState, count: number, word: string): SheetStep | undefined {
  if (word === 'up') return to({ ...state, selected: (state.selected + count - 1) % count })
  if (word === 'down') return to({ ...state, selected: (state.selected + 1) % count })
  const number = /^[1-9]$/.test(word) ? Number(word) - 1 : -1
  return number >= 0 && number < count ? to({ ...state, selected: number }) : undefined
}

/** What was written, as what is asked for. */
function written(state: FormState, node: FormNode): SheetStep {
  const text = wholeText(state.composer)
  if (text === '' && !node.required) return next(state, node, undefined)
  if (node.kind === 'text') return next(state, node, text)
  if (node.kind === 'number') {
    const number = Number(text.trim())
    const isNumber = text.trim() !== '' && Number.isFinite(number)
    return isNumber
      ? next(state, node, number)
      : to({ ...state, problem: `${flat(text, 60)} is not a number` })
  }
  const { value, fault: problem } = parseJson(text)
  return problem === undefined ? next(state, node, value) : to({ ...state, problem })
}

/** Keeps the value and goes on, unless the schema says no. */
function next(state: FormState, node: FormNode, input: JsonValue | undefined): SheetStep {
  const value = changed(state.value, node, input)
  const { issues } = issuesOf(state.question.schema, value)
  const own = issues.find(({ path }) => path[0] === node.path[0])
  if (own !== undefined) return to({ ...state, problem: own.message })
  return to(atField({ ...state, value }, state.at + 1))
}

function changed(value: JsonValue, { path }: FormNode, input: JsonValue | undefined): JsonValue {
  const change =
    input === undefined ? ({ kind: 'remove' } as const) : ({ kind: 'set', value: input } as const)
  return edit(value, path, change) ?? {}
}

function send(state: FormState, fields: readonly FormNode[]): SheetStep {
  const [issue] = issuesOf(state.question.schema, state.value).issues
  if (issue !== undefined) {
    const at = fields.findIndex(({ path }) => path[0] === issue.path[0])
    return to({ ...(at === -1 ? state : atField(state, at)), problem: issue.message })
  }
  const content = typeof state.value === 'object' && state.value !== null ? state.value : {}
  return answered({ action: 'accept', content })
}

function answered(answer: QuestionAnswer): SheetStep {
  return { kind: 'answer', answer: { kind: 'elicitation', answer } }
}

function to(state: FormState): SheetStep {
  return { kind: 'sheet', sheet: sheetOf(state) }
}

function fieldLines(
  state: FormState,
  node: FormNode,
  count: number,
  width: number,
): readonly Line[] {
  const must = node.required ? '' : ', may be left out'
  return [
    ...paragraph(`${flat(node.label, 200)} (${state.at + 1} of ${count}${must})`, width, 'accent'),
    ...(node.description === undefined ? [] : paragraph(node.description, width, 'dim', '  ')),
    ...optionLines(state, node, width),
  ]
}

function optionLines({ selected }: FormState, node: FormNode, width: number): readonly Line[] {
  if (node.kind === 'boolean') {
    return node.value === undefined
      ? []
      : [line(`  now: ${node.value ? 'yes' : 'no'}; Enter keeps it`, 'dim')]
  }
  if (node.kind !== 'choice' && node.kind !== 'choices') return []
  return node.options.flatMap(({ label, value }, at) => {
    const isOn = node.kind === 'choices' && (node.value ?? []).includes(value)
    const box = node.kind === 'choices' ? `[${isOn ? 'x' : ' '}] ` : ''
    const look = at === selected ? 'bold' : 'plain'
    return paragraph(`${box}${label}`, width, look, at === selected ? '▸ ' : '  ')
  })
}

function reviewLines(
  { value }: FormState,
  fields: readonly FormNode[],
  width: number,
): readonly Line[] {
  return [
    line('This is sent', 'accent'),
    ...fields.flatMap((node) => {
      if (node.presence === 'absent') return []
      const own = valueOf(value, node)
      const isSecret = node.kind === 'text' && node.isSecret
      const text = isSecret ? '••••••' : typeof own === 'string' ? own : JSON.stringify(own)
      return paragraph(`${node.label}: ${text}`, width, 'plain', '  ')
    }),
  ]
}
