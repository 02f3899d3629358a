import type { JsonValue } from '@parley/mcp'

/** Parses a text as JSON; an empty one is an absent value. */
export function parseJson(written: string): {
  readonly value?: JsonValue | undefined
  readonly fault?: string | undefined
} {
  if (written.trim() === '') return { value: undefined }
  try {
    return { value: JSON.parse(written) }
  } catch {
    return { fault: describeProblem(written) }
  }
}

// oxlint-disable-next-line no-control-regex -- JSON forbids exactly these in a text
const text = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/
const plain = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/
const token = new RegExp(`\\s*(?:([{}[\\],:])|(${text.source})|(${plain.source}))`, 'y')

/** The tokens that may come next. */
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or ]' | ', or }' | 'end'

/** Where the text stops being JSON, and what should stand there. Browsers say only one of both, if any. */
function describeProblem(whole: string): string {
  const open: ('[' | '{')[] = []
  let expected: Expected = 'value'
  let position = 0
  const after = (): Expected => {
    const last = open.at(-1)
    return last === undefined ? 'end' : last === '[' ? ', or ]' : ', or }'
  }
  for (;;) {
    token.lastIndex = position
    const match = token.exec(whole)
    const next: Expected | null | undefined = match && step(expected, match, open, after)
    if (!next) return placed(whole, position, expected)
    expected = next
    position = token.lastIndex
  }
}

function step(
  expected: Expected,
  [, sign, quoted, word]: RegExpExecArray,
  open: ('[' | '{')[],
  after: () => Expected,
): Expected | undefined {
  const wantsValue = expected === 'value' || expected === 'value or ]'
  if (quoted !== undefined && (expected === 'name' || expected === 'name or }')) return ':'
  if ((quoted ?? word) !== undefined) return wantsValue ? after() : undefined
  if (sign === ':') return expected === ':' ? 'value' : undefined
  if (sign === ',') {
    return expected === ', or ]' ? 'value' : expected === ', or }' ? 'name' : undefined
  }
  if (sign === '{' || sign === '[') {
    if (!wantsValue) return undefined
    open.push(sign)
    return sign === '{' ? 'name or }' : 'value or ]'
  }
  const isClosing = expected.endsWith(`or ${sign}`)
  if (!isClosing) return undefined
  open.pop()
  return after()
}

function placed(whole: string, position: number, expected: Expected): string {
  const start = position + (/^\s*/.exec(whole.slice(position))?.[0].length ?? 0)
  const before = whole.slice(0, start).split('\n')
  const wanted = expected === 'end' ? 'nothing more' : expected
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: expected ${wanted}`
}
