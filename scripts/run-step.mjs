/** Runs one command of a larger job, quietly: its output is shown only when it fails or was asked for. */

import { spawn } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { env, platform } from 'node:process'

import { programLine } from './program-line.mjs'
import { root } from './source-files.mjs'

/**
 * @typedef {object} StepResult
 * @property {boolean} isOk
 * @property {string} output both streams, in the order they came
 * @property {number} seconds
 */

/**
 * @param {string} command a program of this repository's `node_modules/.bin`, or any on the path
 * @param {readonly string[]} args
 * @param {{ show?: boolean }} [options] `show` passes the output through as it comes
 * @returns {Promise<StepResult>}
 */
export function runStep(command, args, { show = false } = {}) {
  const started = performance.now()
  return new Promise((resolve) => {
    const line = programLine(command, args, root)
    const child = spawn(line.file, line.args, {
      cwd: root,
      env: {
        ...env,
        PATH: `${root}node_modules/.bin${platform === 'win32' ? ';' : ':'}${env['PATH'] ?? ''}`,
      },
      stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    })
    /** @type {Buffer[]} */
    const chunks = []
    child.stdout?.on('data', (chunk) => chunks.push(chunk))
    child.stderr?.on('data', (chunk) => chunks.push(chunk))
    /** @param {boolean} isOk @param {string} [note] */
    const finish = (isOk, note = '') => {
      const output = Buffer.concat(chunks).toString('utf8') + note
      resolve({ isOk, output, seconds: (performance.now() - started) / 1000 })
    }
    child.on('error', (error) => finish(false, `${command} did not start: ${error.message}\n`))
    child.on('close', (code) => finish(code === 0))
  })
}
