import type { Writable } from 'node:stream'

/**
 * Sends what anybody writes to `stdout` to `stderr` instead, because there it would be taken for a message. The first
 * such write is reported with the stack of who made it. Returns a function that undoes it.
 */
export function guardStdout(
  stdout: Writable,
  stderr: Writable,
  onFirst: (error: Error) => void,
): () => void {
  const own = Object.getOwnPropertyDescriptor(stdout, 'write')
  const write = stdout.write.bind(stdout)
  let isActive = true
  let isReported = false

  const guarded: Writable['write'] = (
    chunk: unknown,
    encodingOrDone?: BufferEncoding | Done,
    done?: Done,
  ): boolean => {
    const target = isActive ? stderr.write.bind(stderr) : write
    if (isActive && !isReported) {
      isReported = true
      onFirst(strayWrite(guarded))
    }
    return typeof encodingOrDone === 'string'
      ? target(chunk, encodingOrDone, done)
      : target(chunk, encodingOrDone)
  }
  stdout.write = guarded

  return () => {
    isActive = false
    if (stdout.write !== guarded) return // wrapped once more by somebody else, who has to keep us
    if (own) Object.defineProperty(stdout, 'write', own)
    else Reflect.deleteProperty(stdout, 'write')
  }
}

type Done = (error?: Error | null) => void

function strayWrite(guarded: Writable['write']): Error {
  const error = new Error(
    'something wrote to stdout, which carries messages here; this and later writes go to stderr (use console.error)',
  )
  error.name = 'StrayWrite'
  Error.captureStackTrace(error, guarded)
  return error
}
