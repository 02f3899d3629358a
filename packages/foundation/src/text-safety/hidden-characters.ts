/**
 * Characters that show nothing, or change how others show: the only definition of them in the programs around the SDK.
 *
 * `withoutHidden` cleans what a model reads, `showHidden` writes out what a person reads, `hiddenParts` is for pages that
 * mark them, `hasInvisible` is for names and values in which not even a joiner belongs. Terminals have their own rules for
 * line breaks: `safeText` in `terminal/` builds on this. Look-alike letters are in `look-alikes.ts`. Runs in browsers too.
 */

import type { JsonArray, JsonObject, JsonValue } from '@parley/mcp'

/** Codes that terminals act on, and characters without a shape: controls, marks of direction, tags, joiners, selectors, fillers. */
const candidates =
  // oxlint-disable-next-line no-control-regex
  /\u001b\[[0-?]*[ -/]*[@-~]|[\p{Default_Ignorable_Code_Point}\p{Surrogate}\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufff9-\ufffb]+/gu

/**
 * Takes out what a person would not see and a model would: hidden, tag and control characters, and marks that turn the
 * direction of text. Joiners and selectors stay where scripts and emoji need them. Takes time in proportion to the text.
 */
export function withoutHidden(text: string): { readonly text: string; readonly count: number } {
  let count = 0
  const clean = text.replaceAll(candidates, (run: string, offset: number) => {
    const visible = neededIn(run, text, offset)
    count += lengthOf(run) - lengthOf(visible)
    return visible
  })
  return { text: clean, count }
}

/** A name of a server or tool within a sentence: on one line, nothing hidden, not endless. */
export function plainName(name: string): string {
  const { text } = withoutHidden(name)
  return text.replaceAll(/\s+/g, ' ').slice(0, 200)
}

/** The same for every text and name in a value, such as the definition of a tool. */
export function withoutHiddenIn<Value extends JsonValue>(
  value: Value,
): { readonly value: Value; readonly count: number } {
  let count = 0
  const strip = (text: string): string => {
    const clean = withoutHidden(text)
    count += clean.count
    return clean.text
  }
  return { value: mapTexts(value, strip) as Value, count } // texts stay texts, and lists lists
}

/** Text in which hidden characters can be seen: `‹U+202E›`, and hidden messages as what they say. */
export function showHidden(text: string): string {
  return replaceHidden(text, shown)
}

/** The same text with each run of hidden characters replaced. Joiners and selectors that scripts and emoji need stay. */
export function replaceHidden(text: string, replacement: (run: string) => string): string {
  return text.replaceAll(candidates, (run: string, offset: number) => {
    const visible = neededIn(run, text, offset)
    return visible === run ? run : visible + replacement(run.slice(visible.length))
  })
}

/** A text in pieces, for pages that mark what is hidden. */
export function hiddenParts(
  text: string,
): readonly { readonly text: string; readonly isHidden: boolean }[] {
  const parts: { text: string; isHidden: boolean }[] = []
  const add = (piece: string, isHidden: boolean): void => {
    const last = parts.at(-1)
    if (last?.isHidden === isHidden) last.text += piece
    else if (piece !== '') parts.push({ text: piece, isHidden })
  }
  let from = 0
  for (const { 0: run, index } of text.matchAll(candidates)) {
    const start = index + neededIn(run, text, index).length
    add(text.slice(from, start), false)
    from = index + run.length
    add(text.slice(start, from), true)
  }
  add(text.slice(from), false)
  return parts
}

/** Whether a text has any character without a shape: also joiners, line separators and halves of a pair. */
export function hasInvisible(text: string): boolean {
  return invisible.test(text)
}

const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Surrogate}]|\p{Default_Ignorable_Code_Point}/u

/** How many hidden characters a value holds, anywhere in it. */
export function countHidden(value: JsonValue): number {
  return withoutHiddenIn(value).count
}

const deepest = 200

/** A value with every text and every name in it changed. What is nested deeper than 200 levels becomes null. */
export function mapTexts(value: JsonValue, change: (text: string) => string, depth = 0): JsonValue {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return null
  if (isList(value)) return value.map((each) => mapTexts(each, change, depth + 1))
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[change(name), mapTexts(member, change, depth + 1)] as const],
  )
  return Object.fromEntries(members)
}

/** The beginning of a run that belongs to the character before it. */
function neededIn(run: string, text: string, offset: number): string {
  const code = run.codePointAt(0) ?? 0
  const isJoiner = code === 0x200c || code === 0x200d
  const isSelector = (code >= 0x180b && code <= 0x180f) || code === 0xfe0e || code === 0xfe0f
  if (!isJoiner && !isSelector && code < 0xe0000) return ''
  const first = String.fromCodePoint(code)
  const before = lastOf(text, offset)
  const after = text.slice(offset + run.length, offset + run.length + 2)
  if (before === blackFlag) return flagTags.find((tags) => run.startsWith(tags)) ?? ''
  const rest = run.slice(first.length)
  if (selectors.test(first) && rest === '') return fitsSelector(first, before, after) ? first : ''
  if (first === emojiSelector && rest === joiner) return joinsEmoji(before, after) ? run : ''
  if (rest !== '') return ''
  if (first === joiner && joinsEmoji(before, after)) return first
  return isJoiner && joiningScripts.test(before) && joiningScripts.test(after) ? first : ''
}

const joiner = '\u200d'
const emojiSelector = '\ufe0f'
const keycap = '\u20e3'
const blackFlag = '\u{1f3f4}'

/** The flags of England, Scotland and Wales. */
const flagTags = ['gbeng', 'gbsct', 'gbwls'].map((name) =>
  String.fromCodePoint(...Array.from(name, (letter) => 0xe0000 + letter.charCodeAt(0)), 0xe007f),
)

const selectors = /^[\ufe0e\ufe0f\u180b-\u180d\u180f\u{e0100}-\u{e01ef}]$/u
const pictures = /^\p{Extended_Pictographic}/u
const pictureEnds = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u
const joiningScripts =
  /^[\p{Script_Extensions=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u

function joinsEmoji(before: string, after: string): boolean {
  return pictureEnds.test(before) && pictures.test(after)
}

function fitsSelector(selector: string, before: string, after: string): boolean {
  if (/^[0-9#*]$/.test(before)) return after.startsWith(keycap)
  if (selector === emojiSelector || selector === '\ufe0e') return pictureEnds.test(before)
  if (selector < '\u1810') return /^\p{Script=Mongolian}$/u.test(before)
  return /^\p{Script=Han}$/u.test(before)
}

/** The character that ends before a place. */
function lastOf(text: string, offset: number): string {
  const code = text.codePointAt(offset - 2)
  if (offset >= 2 && code !== undefined && code > 0xffff) return String.fromCodePoint(code)
  return text.slice(Math.max(0, offset - 1), offset)
}

/** Longer runs are counted. */
const maxShown = 16

function shown(run: string): string {
  const letters = Array.from(run)
  const tags = letters.map((letter) => tagLetter(letter))
  const reported = tags.filter((letter) => letter !== undefined).join('')
  if (reported.length >= 4) return `‹hidden: ${reported.slice(0, 500)}›`
  const codes = letters
    .slice(0, maxShown)
    .map((letter) => (invisible.test(letter) ? `‹U+${codeOf(letter)}›` : letter))
  const rest = letters.length - codes.length
  return codes.join('') + (rest === 0 ? '' : `‹${rest} more hidden›`)
}

/** Tags are a second alphabet, which nothing shows. */
function tagLetter(letter: string): string | undefined {
  const code = (letter.codePointAt(0) ?? 0) - 0xe0000
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : undefined
}

function codeOf(letter: string): string {
  return (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}

function lengthOf(text: string): number {
  if (text.length < 2) return text.length
  let length = 0
  for (const letter of text) if (letter !== '') length += 1
  return length
}

/** `Array.isArray` does not tell lists that cannot be changed. */
function isList(value: JsonArray | JsonObject): value is JsonArray {
  return Array.isArray(value)
}
