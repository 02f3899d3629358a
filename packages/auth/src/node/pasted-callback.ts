import process from 'node:process'
import { createInterface } from 'node:readline'

import { parseUrl } from '../shared/url-rules.ts'

/**
 * Where the browser is on another machine it cannot come back by itself: the person copies the address it ended at.
 * Never resolves if nobody can type here.
 */
export function readPastedCallback(signal: AbortSignal, state: string): Promise<URL> {
  return new Promise((resolve) => {
    if (!process.stdin.isTTY) return
    const lines = createInterface({ input: process.stdin })
    signal.addEventListener('abort', () => lines.close(), { once: true })
    lines.on('line', (line) => {
      const url = parseUrl(line.trim())
      if (url?.searchParams.get('state') === state) {
        lines.close()
        resolve(url)
      } else if (line.trim() !== '') {
        process.stderr.write(
          'That is not the address of the last page of this sign-in. Copy the whole address.\n',
        )
      }
    })
  })
}
