/** The public suite: a process for each command, or one for many. */

import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
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

/**
 * Runs one command of it in the repository's root; ends it when it takes longer than it may.
 *
 * @param {Release} release
 * @param {readonly string[]} args
 * @param {number} timeoutMs
 * @returns {Promise<Ran>}
 */
export function runSuite({ program }, args, timeoutMs) {
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, ['--import', olderNode, program, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    })
    /** @type {Buffer[]} */
    const chunks = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      resolve({ isOk: code === 0, output: Buffer.concat(chunks).toString('utf8') })
    })
  })
}

/**
 * Runs commands that end with an exit, one after the other, in one process. One that takes longer than it may ends with the
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
