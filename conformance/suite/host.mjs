/**
 * The suite in a process that stays: runs its commands one after the other. Loading what the suite is made of takes longer
 * than most scenarios. Its program reads its arguments, prints and exits as ever; only the exit is kept from ending this.
 */

import process from 'node:process'
import { pathToFileURL } from 'node:url'

/** @typedef {{ program: string, args: readonly string[] }} Command */

let commands = 0
/** @type {string[]} */
let printed = []
/** @type {(code: number) => void} */
let finish = () => {}

class Exited extends Error {}

process.exit = (code) => {
  finish(Number(code ?? 0))
  throw new Exited() // whatever comes after an exit does not happen
}
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (/** @type {string | Uint8Array} */ chunk) => {
    printed.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))
    return true
  }
}
process.on('unhandledRejection', (reason) => {
  if (reason instanceof Exited) return
  printed.push(String(reason))
  finish(1)
})

// A command need not exit: it is over as well when nothing is left to do, which is so while nobody listens here.
process.on('beforeExit', () => finish(Number(process.exitCode ?? 0)))

process.on('message', (/** @type {Command} */ command) => void run(command))
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

/** @param {Command} command */
async function run({ program, args }) {
  commands += 1
  printed = []
  process.argv = [process.execPath, program, ...args]
  process.exitCode = undefined
  process.channel?.unref()
  const code = await new Promise((resolve) => {
    finish = resolve
    // Another address each time: a module runs once.
    import(`${pathToFileURL(program).href}?${commands}`).catch((error) => {
      if (!(error instanceof Exited)) finish(1)
    })
  })
  process.channel?.ref()
  process.send?.({ isOk: code === 0, output: printed.join('') })
}
