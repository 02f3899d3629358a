// Measured processes: started one at a time, limited in time, ended by us.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const benchDirectory = fileURLToPath(new URL('..', import.meta.url))
const probe = fileURLToPath(new URL('../probe.cjs', import.meta.url))
const living = new Set()
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL')
})

/** Starts a Node program with a CPU probe inside and a side channel to ask it. */
export function startChild(program, { args = [], nodeArgs = [], limitMs = 60_000 } = {}) {
  const { NODE_OPTIONS: _, ...environment } = process.env
  const child = spawn(process.execPath, ['--require', probe, ...nodeArgs, program, ...args], {
    cwd: benchDirectory,
    env: { ...environment, NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  })
  living.add(child)
  let complaints = ''
  let isLate = false
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints = (complaints + text).slice(-2_000)
  })
  // A child that dies breaks the pipe under a write; its exit is what gets reported.
  child.stdin.on('error', () => {})
  const limit = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, limitMs)
  const exited = once(child, 'exit').then(() => {
    clearTimeout(limit)
    living.delete(child)
  })
  const failed = exited.then(() => {
    const reason = isLate ? `took longer than ${limitMs} ms` : 'ended early'
    throw new Error(`${basename(program)} ${reason}\n${complaints}`.trim())
  })
  failed.catch(() => {}) // observed through `orExit`

  /** Waits for the message on the side channel that has this field. */
  function hear(field) {
    const received = new Promise((resolve) => {
      const onMessage = (message) => {
        if (message[field] === undefined) return
        child.off('message', onMessage)
        resolve(message[field])
      }
      child.on('message', onMessage)
    })
    return Promise.race([received, failed])
  }

  return {
    pid: child.pid,
    input: child.stdin,
    output: child.stdout,
    /** The same promise, rejected if the child ends first. */
    orExit: (promise) => Promise.race([promise, failed]),
    hear,
    /** Sends a message over the side channel and hears the answer that has this field. */
    ask(message, field) {
      child.send(message)
      return hear(field)
    },
    /** User and system CPU time used so far, in microseconds. */
    async cpuMicros() {
      const { user, system } = await this.ask('cpu', 'cpu')
      return user + system
    },
    /** Closes its input, then insists. */
    async end() {
      child.stdin.end()
      const insist = setTimeout(() => child.kill('SIGKILL'), 1_000)
      if (child.connected) child.disconnect()
      await exited
      clearTimeout(insist)
    },
  }
}
