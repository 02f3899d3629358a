import { StringDecoder } from 'node:string_decoder'

/** More in one line is not looked at; its beginning is. */
const maxLine = 16 * 1024 * 1024

/**
 * Takes chunks and gives whole lines. Not `node:readline`: it also breaks lines where JSON does not, at U+2028 and at a
 * lone CR, and keeps whatever comes until it is out of memory.
 */
export function splitLines(onLine: (line: string) => void): (chunk: Uint8Array) => void {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  let length = 0

  function keep(text: string): void {
    if (length < maxLine) parts.push(text)
    length += text.length
  }

  return (chunk) => {
    const [first = '', ...rest] = decoder.write(chunk).split('\n')
    keep(first)
    for (const text of rest) {
      onLine(parts.join('').replace(/\r$/, ''))
      parts = []
      length = 0
      keep(text)
    }
  }
}
