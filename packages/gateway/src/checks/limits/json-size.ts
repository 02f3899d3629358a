/** Whether a value needs more bytes as JSON than it may. */
export function isLargerThan(value: unknown, maxBytes: number): boolean {
  return jsonBytes(value, maxBytes) > maxBytes
}

/** The size of a value as JSON. Stops counting beyond the limit, so hostile values cost no more than that. */
export function jsonBytes(value: unknown, maxBytes: number): number {
  let bytes = 0
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') bytes += textBytes(next)
    else if (Array.isArray(next)) {
      bytes += 2 + Math.max(0, next.length - 1)
      if (bytes <= maxBytes) for (const each of next as readonly unknown[]) waiting.push(each)
    } else if (typeof next === 'object' && next !== null) {
      const names = Object.keys(next)
      bytes += 2 + Math.max(0, names.length - 1)
      for (const [name, each] of Object.entries(next)) {
        bytes += textBytes(name) + 1
        if (bytes > maxBytes) return bytes
        waiting.push(each)
      }
    } else bytes += String(next).length
    if (bytes > maxBytes) return bytes
  }
  return bytes
}

/** Without escapes, which are few in ordinary text. */
function textBytes(text: string): number {
  return Buffer.byteLength(text) + 2
}
