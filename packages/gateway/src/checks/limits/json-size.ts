/** Whether a value needs more bytes as JSON than it may. Stops counting there, so hostile values cost no more than the limit. */
export function isLargerThan(value: unknown, mostBytes: number): boolean {
  let bytes = 0
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') bytes += textBytes(next)
    else if (Array.isArray(next)) {
      bytes += 2 + Math.max(0, next.length - 1)
      if (bytes <= mostBytes) for (const each of next as readonly unknown[]) waiting.push(each)
    } else if (typeof next === 'object' && next !== null) {
      const names = Object.keys(next)
      bytes += 2 + Math.max(0, names.length - 1)
      for (const [name, each] of Object.entries(next)) {
        bytes += textBytes(name) + 1
        if (bytes > mostBytes) return true
        waiting.push(each)
      }
    } else bytes += String(next).length
    if (bytes > mostBytes) return true
  }
  return false
}

/** Without escapes, which are few in ordinary text. */
function textBytes(text: string): number {
  return Buffer.byteLength(text) + 2
}
