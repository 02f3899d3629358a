/** Tells the measuring process where an HTTP server listens; the server ends with its standard input. */
export function announce(port) {
  process.send({ port })
  process.stdin.on('end', () => process.exit()).resume()
}

/** Whether to serve without sessions, from `--stateless`. */
export const isStateless = process.argv.includes('--stateless')

/** Whether to ask for a token, from `--guarded`. */
export const isGuarded = process.argv.includes('--guarded')
