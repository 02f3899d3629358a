import type { Frame, JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import type { Terminal } from './terminal.ts'

/** Prints what crosses the wire, as it crosses. */
export type FramePrinter = (frame: Frame) => void

/** One line per frame: when, which way, what. `isFull` prints the whole JSON instead of its beginning. */
export function createFramePrinter(terminal: Terminal, isFull: boolean): FramePrinter {
  const methods = new Map<string, string>()
  let startedAt: number | undefined

  return ({ direction, at, message }) => {
    startedAt ??= at
    const time = `${(at - startedAt).toFixed(0).padStart(6)} ms`
    const path = direction === 'out' ? 'client → server' : 'client ← server'
    const { title, body } = describe(message, direction, methods)
    const head = `${time}  ${path}  ${title}`
    const drained = terminal.width - head.length - 5
    const shown = isFull ? JSON.stringify(message) : preview(body, drained)
    terminal.print(`  ${terminal.paint(direction, head)}  ${terminal.paint('dim', shown)}`)
  }
}

interface Description {
  readonly title: string
  readonly body: JsonValue | undefined
}

/** Answers carry only an id: the method is remembered from the question, which went the other way. */
function describe(
  message: JsonValue,
  direction: Frame['direction'],
  methods: Map<string, string>,
): Description {
  if (!isJsonObject(message)) return { title: 'batch', body: message }
  const { id, method, params, result, error } = message
  const askedBy = direction === 'out' ? 'in' : 'out'
  if (typeof method === 'string') {
    if (id === undefined) return { title: method, body: params }
    methods.set(`${direction} ${JSON.stringify(id)}`, method)
    return { title: `${method} #${JSON.stringify(id)}`, body: params }
  }
  const key = `${askedBy} ${JSON.stringify(id)}`
  const asked = methods.get(key) ?? 'unknown'
  methods.delete(key)
  return { title: `${kindOf(message)} ${asked} #${JSON.stringify(id)}`, body: error ?? result }
}

function kindOf({ result, error }: JsonObject): string {
  if (error !== undefined) return 'error for'
  const isRound =
    result !== undefined && isJsonObject(result) && result['resultType'] === 'input_required'
  return isRound ? 'input required for' : 'answer to'
}

function preview(value: JsonValue | undefined, drained: number): string {
  if (value === undefined) return ''
  const json = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' && part.length > 80 ? `${part.slice(0, 60)}…` : part,
  )
  return json.length <= drained ? json : `${json.slice(0, Math.max(10, drained))}…`
}
