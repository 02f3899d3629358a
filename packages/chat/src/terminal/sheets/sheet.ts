import type { ChatAnswer } from '../../chat.ts'
import type { Key } from '../key-reader.ts'
import type { Line } from '../line.ts'

/** A question of the chat, as it stands in the terminal. Keys make another sheet of it, or an answer. */
export interface Sheet {
  /** All of it, wrapped to a width; the terminal shows a part if it is long. */
  lines(width: number): readonly Line[]
  /** The keys that mean something now. They are always shown. */
  readonly keys: Line
  /** The text that is being written, if one is: the cursor stands in it. */
  readonly editor?: SheetEditor | undefined
  /** Undefined if the key means nothing here. */
  press(key: Key): SheetStep | undefined
}

export interface SheetEditor {
  lines(width: number): readonly Line[]
}

export type SheetStep =
  | { readonly kind: 'sheet'; readonly sheet: Sheet }
  | { readonly kind: 'answer'; readonly answer: ChatAnswer }
  /** The person wants the whole turn stopped. */
  | { readonly kind: 'stop' }

/** The letter of a key, or its name. */
export function wordOf(key: Key): string {
  if (key.kind === 'key') return key.name
  return key.kind === 'text' ? key.text : ''
}

/** Keys and what they do: `y once  n no`. */
export function keyLine(pairs: readonly (readonly [key: string, meaning: string])[]): Line {
  return pairs.flatMap(([key, meaning], at) => [
    { text: `${at === 0 ? '' : '  '}${key}`, look: 'accent' as const },
    { text: ` ${meaning}`, look: 'dim' as const },
  ])
}
