/** The public suite as a program of its own. */

import { spawn } from 'node:child_process'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

/** @typedef {import('./releases.mjs').Release} Release */

const folder = fileURLToPath(new URL('../..', import.meta.url))
const olderNode = new URL('older-node.mjs', import.meta.url).href

/**
 * Runs one command of it in the repository's root; ends it when it takes longer than it may.
 *
 * @param {Release} release
 * @param {readonly string[]} args
 * @param {number} timeoutMs
 * @returns {Promise<{ isOk: boolean, output: string }>} both of its streams; what it found is in the results it wrote
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
