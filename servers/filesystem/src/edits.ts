import { ToolError } from '@parley/mcp'

import { findSequence } from './find-sequence.ts'

export interface Edit {
  readonly oldText: string
  readonly newText: string
}

/** A text with lines that end in one way. */
export function withPlainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** Of a text that was not found. */
const maxShown = 2_000

/** Makes the edits, one after the other. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduce(applyEdit, text)
}

/** The first exact occurrence, else the first block of lines that differs in indentation only. */
function applyEdit(text: string, { oldText, newText }: Edit): string {
  const wanted = withPlainLineEnds(oldText)
  const replacement = withPlainLineEnds(newText)
  const at = findSequence(text, wanted)
  if (at !== -1) return `${text.slice(0, at)}${replacement}${text.slice(at + wanted.length)}`

  const lines = text.split('\n')
  const block = wanted.split('\n')
  const start = findBlock(lines, block)
  if (start === -1) {
    throw new ToolError(`Could not find exact match for edit:\n${oldText.slice(0, maxShown)}`)
  }
  const moved = indentLike(lines[start] ?? '', block[0] ?? '', replacement.split('\n'))
  return [...lines.slice(0, start), ...moved, ...lines.slice(start + block.length)].join('\n')
}

function findBlock(lines: readonly string[], block: readonly string[]): number {
  // Numbers for lines: comparing long ones again and again would not be linear.
  const numbers = new Map<string, number>()
  const numberOf = (line: string) => {
    const text = line.trim()
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    return number
  }
  return findSequence(lines.map(numberOf), block.map(numberOf))
}

/** Moves all lines as far as the first line of the block was found from where it was thought to be. */
function indentLike(
  found: string,
  thought: string,
  replacement: readonly string[],
): readonly string[] {
  const [here, there] = [indentOf(found), indentOf(thought)]
  if (here.length >= there.length) {
    const more = here.slice(0, here.length - there.length)
    return replacement.map((line) => (line.trim() === '' ? line : `${more}${line}`))
  }
  const less = there.length - here.length
  return replacement.map((line) => line.slice(Math.min(less, indentOf(line).length)))
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length)
}
