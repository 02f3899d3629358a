/** The port that a command line names; 0 picks a free one. Throws a `RangeError` whose message says what to write. */
export function readPort(text: string): number {
  if (!/^\d+$/.test(text)) {
    throw new RangeError(`a port is a number from 0 to 65535, not ${JSON.stringify(text)}`)
  }
  const port = Number(text)
  if (port > 65_535) throw new RangeError(`port ${text} is out of range: use 0 to 65535`)
  return port
}

/** Returns the error for a port that is in use; undefined for any other error. */
export function portInUse(
  error: unknown,
): { readonly message: string; readonly hint: string } | undefined {
  const found = portErrorOf(error)
  if (found === undefined) return undefined
  return {
    message: found.port === undefined ? 'the port is in use' : `port ${found.port} is in use`,
    hint: 'Choose another with --port NUMBER; 0 picks a free one.',
  }
}

interface PortError {
  readonly port: number | undefined
}

/** The error itself, or the one it was made of. */
function portErrorOf(error: unknown, depth = 0): PortError | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined
  if ('code' in error && error.code === 'EADDRINUSE') {
    return { port: 'port' in error && typeof error.port === 'number' ? error.port : undefined }
  }
  return portErrorOf(error.cause, depth + 1)
}
