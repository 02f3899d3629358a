/** Runs one program of a check and says how it ended. */

import { spawn } from 'node:child_process'
import { env } from 'node:process'

import { programLine } from '../program-line.mjs'

/** For what hangs: everything here takes seconds, on a busy machine some more. */
const maxMs = 300_000

/**
 * The output of a program that ended well; anything else throws, with what it printed.
 *
 * @param {readonly [command: string, ...args: string[]]} line
 * @param {{ cwd: string, environment?: Readonly<Record<string, string>> }} options
 * @returns {Promise<string>}
 */
export function run([command, ...args], { cwd, environment = {} }) {
  return new Promise((resolve, reject) => {
    const line = programLine(command, args, cwd)
    const child = spawn(line.file, line.args, {
      cwd,
      env: { ...env, NO_COLOR: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    /** @type {Buffer[]} */
    const printed = []
    child.stdout.on('data', (chunk) => printed.push(chunk))
    child.stderr.on('data', (chunk) => printed.push(chunk))
    const timer = setTimeout(() => child.kill('SIGKILL'), maxMs)
    /** @param {string} ending */
    const fail = (ending) => {
      const output = Buffer.concat(printed).toString('utf8').trimEnd()
      reject(new Error(`${[command, ...args].join(' ')}: ${ending}\n${output}`))
    }
    child.once('error', (error) => fail(error.message))
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(Buffer.concat(printed).toString('utf8'))
      else fail(code === null ? `ended by ${signal}` : `exit code ${code}`)
    })
  })
}

/**
 * Throws unless these lines are in the output, in this order. Runtimes break the same object into lines differently.
 *
 * @param {string} output
 * @param {readonly string[]} lines
 */
export function expectLines(output, lines) {
  const printed = compact(output)
  let at = 0
  for (const line of lines) {
    const found = printed.indexOf(compact(line), at)
    if (found < 0) throw new Error(`expected the line ${JSON.stringify(line)} in\n${output}`)
    at = found + compact(line).length
  }
}

/** @param {string} text */
function compact(text) {
  return text.replaceAll(/\s+/g, '').replaceAll(/,(?=[}\]])/g, '')
}
