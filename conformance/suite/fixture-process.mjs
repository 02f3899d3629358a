/** The fixture server as a process that ends with the run. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { env, execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../server.js', import.meta.url))

/**
 * Starts it on a free port.
 *
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
export async function startFixtureServer() {
  const child = spawn(execPath, [program], {
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const url = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([line]) => String(line)),
    closed.then(([code]) => Promise.reject(new Error(`the server ended at once with ${code}`))),
  ])
  return {
    url,
    async stop() {
      child.kill('SIGKILL') // ending well is what other tests are about
      await closed
    },
  }
}
