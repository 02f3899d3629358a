/** The same items, until the signal is aborted: then it ends at once, whatever the source is waiting for. */
export async function* untilAborted<T>(
  signal: AbortSignal,
  source: AsyncIterable<T>,
): AsyncGenerator<T> {
  if (signal.aborted) return
  const items = source[Symbol.asyncIterator]()
  const ended: IteratorResult<T> = { done: true, value: undefined }
  let onAbort: (() => void) | undefined
  const aborted = new Promise<typeof ended>((resolve) => {
    onAbort = () => resolve(ended)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    for (;;) {
      const next = items.next()
      const item = await Promise.race([next, aborted])
      if (signal.aborted) {
        // Its error is ignored: it is a consequence of the abort.
        next.catch(() => undefined)
        return
      }
      if (item.done) return
      yield item.value
    }
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort)
    // Not awaited: a source that hangs would delay the caller that stopped it.
    items.return?.()?.catch(() => undefined)
  }
}
