import type { ModelMessage, ModelTool } from '../models/model.ts'
import { estimateMessage, estimateTool } from './estimate.ts'
import { defaultWindow } from './tool-selection.ts'

/** Keeps what the model reads within its window. */
export interface Trimming {
  /** The messages of a request, and in words what is left out if that has changed. */
  fit(
    system: Extract<ModelMessage, { role: 'system' }>,
    turns: readonly (readonly ModelMessage[])[],
    tools: readonly ModelTool[],
    windowTokens?: number,
  ): { readonly messages: readonly ModelMessage[]; readonly notice?: string | undefined }
}

/** The rest is for the answer, and for providers that count more than we estimate. */
const maxOfWindow = 0.85
/** Some room is made at once: what changes with every request cannot be cached. */
const trimmedShare = 0.75
const shortenedCharacters = 1_000

/**
 * The rule: while the conversation is too long, results of tools are cut to their first 1000 characters, the oldest first;
 * those of this turn stay whole. Then the oldest turns are left out. Then results of this turn are cut too. A turn goes as
 * a whole, so that calls and their results stay together.
 */
export function createTrimming(): Trimming {
  let budget = 0
  let leftOut = 0
  /** By what they were. */
  let shortened = new Map<ModelMessage, ModelMessage>()

  const shown = (turns: readonly (readonly ModelMessage[])[]): readonly ModelMessage[] =>
    turns.slice(leftOut).flatMap((turn) => turn.map((message) => shortened.get(message) ?? message))

  const shortIn = (turns: readonly (readonly ModelMessage[])[]): number =>
    turns
      .slice(leftOut)
      .flat()
      .filter((message) => shortened.has(message)).length

  function shorten(turns: readonly (readonly ModelMessage[])[], used: number, aim: number): number {
    let left = used
    for (const message of turns.flat()) {
      if (left <= aim) return left
      const short = shortened.has(message) ? undefined : shortenedOf(message)
      if (short === undefined) continue
      shortened.set(message, short)
      left -= estimateMessage(message) - estimateMessage(short)
    }
    return left
  }

  function leaveOut(turns: readonly (readonly ModelMessage[])[], used: number, aim: number) {
    let left = used
    while (left > aim && leftOut < turns.length - 1) {
      left -= costOf(shown(turns.slice(0, leftOut + 1)))
      leftOut += 1
    }
    return left
  }

  return {
    fit(system, turns, tools, windowTokens = defaultWindow) {
      const fixed = tools.reduce((sum, tool) => sum + estimateTool(tool), estimateMessage(system))
      const now = Math.max(0, Math.floor(windowTokens * maxOfWindow) - fixed)
      if (now > budget * 1.1) {
        leftOut = 0 // another model, or fewer tools: there may be room for all of it again
        shortened = new Map()
      }
      budget = now
      const before = describe(leftOut, shortIn(turns))
      const used = costOf(shown(turns))
      if (used > budget) {
        const aim = budget * trimmedShare
        const earlier = shorten(turns.slice(leftOut, -1), used, aim)
        const without = leaveOut(turns, earlier, aim)
        shorten(turns.slice(-1), without, aim)
      }
      const after = describe(leftOut, shortIn(turns))
      const messages = [withNote(system, leftOut), ...shown(turns)]
      if (after === before) return { messages }
      const notice = `the conversation is longer than the ${windowTokens} tokens that the model reads: ${after}. The transcript keeps everything.`
      return { messages, notice }
    },
  }
}

function describe(turns: number, results: number): string {
  const parts = [
    ...(turns > 0
      ? [turns === 1 ? 'its first turn is left out' : `its first ${turns} turns are left out`]
      : []),
    ...(results > 0
      ? [results === 1 ? 'a long result is shortened' : `${results} long results are shortened`]
      : []),
  ]
  return parts.join(', and ')
}

function withNote(system: Extract<ModelMessage, { role: 'system' }>, turns: number): ModelMessage {
  if (turns === 0) return system
  const text = `${system.text}\n\nThe conversation is long: its first ${turns === 1 ? 'turn is' : `${turns} turns are`} not shown to you.`
  return { role: 'system', text }
}

/** Undefined unless it is a result that is worth shortening. Pictures and sounds go. */
function shortenedOf(message: ModelMessage): ModelMessage | undefined {
  if (message.role !== 'tool') return undefined
  const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  const media = message.content.filter((part) => part.type !== 'text').length
  if (text.length <= 2 * shortenedCharacters && media === 0) return undefined
  const head = text.slice(0, shortenedCharacters)
  const cut = text.length - head.length
  const omissions = [
    ...(cut > 0 ? [`${cut} more characters`] : []),
    ...(media > 0 ? [media === 1 ? 'a picture or sound' : `${media} pictures or sounds`] : []),
  ]
  const note = `${head}\n… (${omissions.join(' and ')} left out: the conversation is long)\n${lastLine(text)}`
  return { ...message, content: [{ type: 'text', text: note }] }
}

/** Results end with the line that closes their fence. */
function lastLine(text: string): string {
  const line = text.slice(text.lastIndexOf('\n') + 1)
  return line.startsWith('[end of data ') && line.length < 100 ? line : ''
}

function costOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0)
}
