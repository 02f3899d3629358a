import { spawn } from 'node:child_process'
import process, { execPath } from 'node:process'
import { createInterface } from 'node:readline'

import { endTogether } from './ends-together.ts'

/** With what a process is started, and who hears it. */
export interface ServerProcessOptions {
  /** Arguments of the program. @defaultValue none */
  readonly args?: readonly string[] | undefined
  /** Besides those of this process. */
  readonly env?: { readonly [name: string]: string | undefined } | undefined
  /** Arguments of Node itself. */
  readonly nodeArgs?: readonly string[] | undefined
  /** Hears every line it prints, on either stream. */
  readonly onLine?: ((line: string) => void) | undefined
}

/** How a process ended. */
export interface ProcessEnd {
  /** Its exit code; null if a signal ended it. */
  readonly code: number | null
  /** The signal that ended it; null if it exited by itself. */
  readonly signal: NodeJS.Signals | null
}

/** A server in a process of its own, which ends with this one. */
export interface ServerProcess extends AsyncDisposable {
  /** Its process id. */
  readonly pid: number
  /** The first address it printed. */
  readonly url: string
  /** It has not ended yet. */
  readonly isRunning: boolean
  /** Resolves when it has ended. */
  readonly ended: Promise<ProcessEnd>
  /** The last lines it printed, on either stream. */
  readonly lines: readonly string[]
  /** Sends it a signal. */
  kill(signal: NodeJS.Signals): void
  /** Sends a message to its `process.on('message')`. */
  notify(message: object): void
  /** The same, and resolves with the next message from there. */
  ask(message: object): Promise<unknown>
}

const maxLines = 200

/** Starts a Node program that prints its address, and resolves when it has. */
export async function startServerProcess(
  program: string,
  options: ServerProcessOptions = {},
): Promise<ServerProcess> {
  const { args = [], env = {}, nodeArgs = [], onLine } = options
  const child = spawn(execPath, [...nodeArgs, program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  endTogether(child)
  const lines: string[] = []
  let isRunning = true
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('exit', (code, signal) => {
      isRunning = false
      resolve({ code, signal })
    })
  })
  child.on('error', () => undefined) // a message to one that has ended

  const url = await new Promise<string>((resolve, reject) => {
    function onText(line: string): void {
      lines.push(line)
      if (lines.length > maxLines) lines.shift()
      onLine?.(line)
      const [address] = /https?:\/\/\S+/.exec(line) ?? []
      if (address !== undefined) resolve(address)
    }
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface(stream).on('line', onText)
    }
    child.once('error', reject)
    void ended.then(({ code, signal }) => {
      reject(new Error(`${program} ended with ${signal ?? code}:\n${lines.join('\n')}`))
    })
  })

  return {
    pid: child.pid ?? -1,
    url,
    get isRunning() {
      return isRunning
    },
    ended,
    lines,
    kill: (signal) => void child.kill(signal),
    notify: (message) => void (child.connected && child.send(message)),
    ask(message) {
      const reply = new Promise((resolve) => child.once('message', resolve))
      child.send(message)
      return reply
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
