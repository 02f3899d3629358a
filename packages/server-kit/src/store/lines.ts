import { isUtf8, type Buffer } from 'node:buffer'
import { setImmediate as breathe } from 'node:timers/promises'

/** One line of the file that is JSON of an object. */
export interface Line<T> {
  /** Undefined for a line that somebody else understands: it is kept, and never shown. */
  value: T | undefined
  /** As it stands in the file. */
  text: string
  /** No longer in the file, or about to leave it. */
  isRemoved?: true
}

/** A line that is not JSON, or not what it claims to be. */
export interface UnreadableLine {
  readonly number: number
  readonly bytes: Buffer
}

/** What a line of JSON turns out to be. */
export type Parsed<T> =
  | {
      /** A record of this store. */
      readonly kind: 'record'
      /** The record. */
      readonly value: T
    }
  | {
      /** Something that another program wrote; it stays as it is. */
      readonly kind: 'foreign'
    }
  | {
      /** No JSON, or damaged; it is moved out of the file. */
      readonly kind: 'unreadable'
    }

export interface ScannedLines<T> {
  readonly lines: readonly Line<T>[]
  readonly unreadable: readonly UnreadableLine[]
  /** The last line, when no newline ended it: complete if it can be read, else torn or still being written. */
  readonly tail?: { readonly bytes: Buffer; readonly line: Line<T> | undefined }
  /** Bytes up to the end of the last newline. */
  readonly endedBytes: number
  readonly count: number
}

const newline = 10
/** The heart of a lock must beat while a large file is read. */
const breatheEveryBytes = 4 * 1024 * 1024

/** Takes bytes apart into lines; blank ones are nothing. */
export async function scanLines<T>(
  bytes: Buffer,
  parse: (value: unknown) => Parsed<T>,
  firstNumber = 1,
): Promise<ScannedLines<T>> {
  const lines: Line<T>[] = []
  const unreadable: UnreadableLine[] = []
  const isText = isUtf8(bytes)
  let start = hasByteOrderMark(bytes) ? 3 : 0
  let endedBytes = 0
  let number = firstNumber
  let breath = breatheEveryBytes
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    const part = bytes.subarray(start, end)
    const read = readLine(part, parse, isText)
    if (read === 'unreadable') unreadable.push({ number, bytes: part })
    else if (read !== 'blank') lines.push(read)
    start = endedBytes = end + 1
    number += 1
    if (start > breath) {
      breath = start + breatheEveryBytes
      await breathe()
    }
  }
  const counted = { lines, unreadable, endedBytes, count: number - firstNumber }
  const rest = bytes.subarray(start)
  const read = readLine(rest, parse, isText)
  if (read === 'blank') return counted
  return { ...counted, tail: { bytes: rest, line: read === 'unreadable' ? undefined : read } }
}

function readLine<T>(
  bytes: Buffer,
  parse: (value: unknown) => Parsed<T>,
  isText: boolean,
): Line<T> | 'blank' | 'unreadable' {
  if (!isText && !isUtf8(bytes)) return 'unreadable'
  const text = bytes.toString().trim()
  if (text === '') return 'blank'
  try {
    const parsed = parse(JSON.parse(text))
    if (parsed.kind === 'unreadable') return 'unreadable'
    return { text, value: parsed.kind === 'record' ? parsed.value : undefined }
  } catch {
    return 'unreadable' // not JSON
  }
}

function hasByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}
