import type { JsonValue } from '@parley/mcp'

/** What a text says as JSON; an empty one is an absent value. */
export function parseJson(text: string): {
  readonly value?: JsonValue | undefined
  readonly fault?: string | undefined
} {
  if (text.trim() === '') return { value: undefined }
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { fault: describeFault(error, text) }
  }
}

function describeFault(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : String(error)
  const position = /at position (\d+)/.exec(message)?.[1]
  const plain = message.replace(/ in JSON.*$|, "[\s\S]*$/s, '')
  if (position === undefined) return plain
  const before = text.slice(0, Number(position)).split('\n')
  return `${plain}, line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}
