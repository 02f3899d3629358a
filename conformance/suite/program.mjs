/** The public suite: one process for many commands. */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { anySignal } from '@parley/mcp/signals'

/** @typedef {import('./releases.mjs').Release} Release */

const folder = fileURLToPath(new URL('../..', import.meta.url))
const olderNode = new URL('older-node.mjs', import.meta.url).href
const host = fileURLToPath(new URL('host.mjs', import.meta.url))

/**
 * @typedef {object} Ran
 * @property {boolean} isOk
 * @property {string} output both of its streams; what it found is in the results it wrote
 */

/** @typedef {ReturnType<typeof createSuiteHost>} SuiteHost */

/**
 * Runs commands in the repository's root, one after the other, in one process. One that takes longer than it may ends with the
 * process, and the next starts another.
 */
export function createSuiteHost() {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child

  return {
    /**
     * @param {Release} release
     * @param {readonly string[]} args
     * @param {number} timeoutMs
     * @returns {Promise<Ran>}
     */
    async run({ program }, args, timeoutMs) {
      child ??= fork(host, { cwd: folder, execArgv: ['--import', olderNode], stdio: 'inherit' })
      child.send({ program, args })
      const late = AbortSignal.timeout(timeoutMs)
      const over = new AbortController()
      const signal = anySignal(late, over.signal)
      try {
        const [ran] = await Promise.race([
          once(child, 'message', { signal }),
          once(child, 'exit', { signal }).then(() => {
            child = undefined
            return [{ isOk: false, output: '' }]
          }),
        ])
        return ran
      } catch (error) {
        if (!late.aborted) throw error
        this.close()
        return { isOk: false, output: '' }
      } finally {
        over.abort()
      }
    },
    close() {
      child?.kill('SIGKILL')
      child = undefined
    },
  }
}
