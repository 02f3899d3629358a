import type { Key } from './key-reader.ts'

/** Text that is being written, and where. */
export interface Composer {
  readonly text: string
  /** Between 0 and the length of the text. */
  readonly cursor: number
  /** What stands for longer text that was pasted. */
  readonly pastes: ReadonlyMap<string, string>
}

export const emptyComposer: Composer = { text: '', cursor: 0, pastes: new Map() }

/** A composer with a text in it, the cursor at its end. */
export function composerWith(text: string): Composer {
  return { ...emptyComposer, text, cursor: text.length }
}

const maxTextLength = 256 * 1024
const maxPastedLines = 3
const maxPastedCharacters = 400

/** What a key makes of it; undefined for keys that mean something else. */
export function editText(composer: Composer, key: Key): Composer | undefined {
  if (key.kind === 'text') return insert(composer, key.text)
  if (key.kind === 'paste') return paste(composer, key.text)
  const { text, cursor } = composer
  const at = (next: number): Composer => ({ ...composer, cursor: next })
  const name: string = key.name
  switch (name) {
    case 'newline':
      return insert(composer, '\n')
    case 'backspace':
      return cut(composer, before(composer), cursor)
    case 'delete':
      return cut(composer, cursor, after(composer))
    case 'left':
    case 'ctrl-b':
      return at(before(composer))
    case 'right':
    case 'ctrl-f':
      return at(after(composer))
    case 'home':
    case 'ctrl-a':
      return at(text.lastIndexOf('\n', cursor - 1) + 1)
    case 'end':
    case 'ctrl-e':
      return at(lineEnd(text, cursor))
    case 'word-left':
      return at(wordStart(text, cursor))
    case 'word-right':
      return at(cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0))
    case 'ctrl-w':
      return cut(composer, wordStart(text, cursor), cursor)
    case 'ctrl-u':
      return cut(composer, text.lastIndexOf('\n', cursor - 1) + 1, cursor)
    case 'ctrl-k':
      return cut(composer, cursor, lineEnd(text, cursor))
    default:
      return undefined
  }
}

/** One line up or down; undefined if there is none. */
export function moveLine(composer: Composer, by: -1 | 1): Composer | undefined {
  const { text, cursor } = composer
  const start = text.lastIndexOf('\n', cursor - 1) + 1
  const column = cursor - start
  if (by === -1) {
    if (start === 0) return undefined
    const above = text.lastIndexOf('\n', start - 2) + 1
    return { ...composer, cursor: Math.min(above + column, start - 1) }
  }
  const end = text.indexOf('\n', cursor)
  if (end === -1) return undefined
  return { ...composer, cursor: Math.min(end + 1 + column, lineEnd(text, end + 1)) }
}

/** The text with everything that was pasted. */
export function wholeText({ text, pastes }: Composer): string {
  let whole = text
  for (const [mark, pasted] of pastes) whole = whole.replaceAll(mark, () => pasted)
  return whole
}

function paste(composer: Composer, pasted: string): Composer {
  const lines = pasted.split('\n').length
  if (lines <= maxPastedLines && pasted.length <= maxPastedCharacters) {
    return insert(composer, pasted)
  }
  const number = composer.pastes.size + 1
  const mark = `[pasted ${number}: ${lines === 1 ? '' : `${lines} lines, `}${pasted.length} characters]`
  const pastes = new Map([...composer.pastes, [mark, pasted]])
  return { ...insert(composer, mark), pastes }
}

function insert(composer: Composer, added: string): Composer {
  const { text, cursor } = composer
  const fits = added.slice(0, Math.max(0, maxTextLength - text.length))
  return {
    ...composer,
    text: text.slice(0, cursor) + fits + text.slice(cursor),
    cursor: cursor + fits.length,
  }
}

function cut(composer: Composer, from: number, to: number): Composer {
  const { text } = composer
  return { ...composer, text: text.slice(0, from) + text.slice(to), cursor: from }
}

/** The place before the letter left of the cursor; a mark of something pasted counts as one. */
function before({ text, cursor, pastes }: Composer): number {
  const left = text.slice(0, cursor)
  const mark = [...pastes.keys()].find((key) => left.endsWith(key))
  if (mark !== undefined) return cursor - mark.length
  return cursor - lastLetter(left).length
}

function after({ text, cursor, pastes }: Composer): number {
  const right = text.slice(cursor)
  const mark = [...pastes.keys()].find((key) => right.startsWith(key))
  if (mark !== undefined) return cursor + mark.length
  const [first] = letters.segment(right.slice(0, 64))
  return cursor + (first?.segment.length ?? 0)
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function lastLetter(text: string): string {
  return [...letters.segment(text.slice(-64))].at(-1)?.segment ?? ''
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

function wordStart(text: string, cursor: number): number {
  return cursor - (/\S*\s*$/.exec(text.slice(0, cursor))?.[0].length ?? 0)
}
