/**
 * Splits chunks of bytes into lines of text. Total: invalid UTF-8 and lines over the limit become errors, and a line over the limit is never
 * kept in memory.
 *
 * Used by `line-channel.ts` for every message over stdio, so it avoids copies: whole chunks are decoded at once.
 */

import { constants, isAscii, isUtf8 } from 'node:buffer'

import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { endLength, messageByEnds } from '../../rpc/json/json-limits.ts'

/** One line without its ending, or what stands in its place because it could not be taken. */
export type Line = string | RpcError

/** Turns chunks of bytes into lines of text, whatever the chunks are. Total: bad input becomes an `RpcError`. */
export interface LineSplitter {
  /** The lines this chunk completes, blank ones left out. */
  push(chunk: Buffer): Line[]
  /** The last line, if it had no ending. */
  end(): Line[]
}

/** Lines end with LF or CRLF; one of more than `messageBytes` is skipped without being kept in memory. */
export function createLineSplitter(messageBytes: number): LineSplitter {
  const allowed = Math.min(messageBytes, constants.MAX_STRING_LENGTH)
  let chunks: Buffer[] = []
  let recent: Buffer[] = []
  let usedBytes = 0
  let head: Buffer | undefined
  let isFirst = true

  /** Joining every so many keeps a line that arrives byte by byte from costing an object per byte. */
  function hold(part: Buffer): void {
    usedBytes += part.length
    if (usedBytes > allowed + 1) {
      head ??= Buffer.concat([...chunks, ...recent, part], Math.min(usedBytes, endLength))
      recent = [tailOf(Buffer.concat([...chunks.slice(-1), ...recent, part].map(tailOf)))]
      chunks = []
    } else if (recent.push(part) === partsBeforeJoin) {
      chunks.push(Buffer.concat(recent))
      recent = []
    }
  }

  function takeQueued(tail: Buffer): Line {
    hold(tail)
    const seen = usedBytes
    const start = head
    const rest = Buffer.concat(chunks.length === 0 ? recent : [...chunks, ...recent])
    chunks = []
    recent = []
    usedBytes = 0
    head = undefined
    return start ? tooLong(seen, allowed, start, rest) : decodeLine(rest, allowed)
  }

  return {
    push(bytes) {
      const chunk = isFirst ? withoutMark(bytes) : bytes
      isFirst = false
      const last = chunk.lastIndexOf(lineFeed)
      if (last === -1) {
        hold(chunk)
        return []
      }
      const lines: Line[] = []
      let start = 0
      if (usedBytes > 0) {
        start = chunk.indexOf(lineFeed) + 1
        addLine(lines, takeQueued(chunk.subarray(0, start - 1)))
      }
      const isWhole = start === 0 && last + 1 === chunk.length
      if (isWhole) splitWhole(lines, chunk, allowed)
      else if (start <= last) splitWhole(lines, chunk.subarray(start, last + 1), allowed)
      if (last + 1 < chunk.length) hold(chunk.subarray(last + 1))
      return lines
    },

    end() {
      const lines: Line[] = []
      if (usedBytes > 0) addLine(lines, takeQueued(Buffer.alloc(0)))
      return lines
    },
  }
}

/** Decodes all lines of a chunk at once and slices the text: a third of the cost of decoding each of many. */
function splitWhole(lines: Line[], chunk: Buffer, allowed: number): void {
  if (chunk.length > allowed) return splitEach(lines, chunk, allowed)
  const text = decode(chunk)
  if (text.includes(replacement)) return splitEach(lines, chunk, allowed)

  let start = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    addLine(lines, text.slice(start, text.charCodeAt(end - 1) === carriageReturn ? end - 1 : end))
    start = end + 1
  }
}

/** Looks at the bytes of each line, for its length or for what is wrong with it. */
function splitEach(lines: Line[], chunk: Buffer, allowed: number): void {
  let start = 0
  for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
    addLine(lines, decodeLine(chunk.subarray(start, end), allowed))
    start = end + 1
  }
}

function decodeLine(bytes: Buffer, allowed: number): Line {
  const line = bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes
  if (line.length > allowed) {
    return tooLong(line.length, allowed, line.subarray(0, endLength), tailOf(line))
  }
  const text = decode(line)
  if (text.includes(replacement) && !isUtf8(line)) {
    return new RpcError('parse_error', `a line of ${line.length} bytes is not valid UTF-8`)
  }
  return text
}

/** Most large messages are ASCII, whose bytes need no decoding: a mebibyte takes a sixth of the time. */
function decode(bytes: Buffer): string {
  return bytes.length > largeBytes && isAscii(bytes) ? bytes.toString('latin1') : bytes.toString()
}

function tooLong(seen: number, allowed: number, head: Buffer, tail: Buffer): RpcError {
  const message = `a message of ${seen} bytes is over the limit of ${allowed}; raise limits.messageBytes to accept it`
  return new RpcError('limit_exceeded', message, {
    data: { limit: 'messageBytes', allowed, seen },
    cause: messageByEnds(head.toString(), tail.toString()),
  })
}

function tailOf(bytes: Buffer): Buffer {
  return bytes.subarray(-endLength)
}

function addLine(lines: Line[], line: Line): void {
  if (!isBlank(line)) lines.push(line)
}

function isBlank(line: Line): boolean {
  if (typeof line !== 'string') return false
  return line.length === 0 || (line.charCodeAt(0) <= space && line.trim() === '')
}

const largeBytes = 4096
const partsBeforeJoin = 1024
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
/** The character that decoding puts in the place of bytes that are not UTF-8; it may also be intended. */
const replacement = '\uFFFD'

/** Some shells of Windows begin a stream with a byte order mark, in a write of its own or with the first line. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.toString('utf8', 0, 3) === '\uFEFF' ? bytes.subarray(3) : bytes
}
