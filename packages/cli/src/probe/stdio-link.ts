import { spawn } from 'node:child_process'
import { env as ownEnv, platform } from 'node:process'

import { isJsonObject, type JsonObject } from '../json.ts'
import { answers, type Exchange, type RawLink } from './exchange.ts'
import { tellFrame, waitFor, type LinkOptions } from './link-options.ts'
import { splitLines } from './split-lines.ts'

/** A command to start, with its variables resolved. */
export interface StdioCommand {
  readonly command: string
  readonly args?: readonly string[] | undefined
  readonly env?: { readonly [name: string]: string } | undefined
  readonly cwd?: string | undefined
}

const inherited =
  platform === 'win32' ? ['PATH', 'SYSTEMROOT', 'TEMP'] : ['PATH', 'HOME', 'LANG', 'TMPDIR']
const maxLine = 200
const maxLines = 1_000

/** Starts a server and talks to it line by line. Rejects if it cannot be started. */
export async function openStdioLink(
  { command, args = [], env, cwd }: StdioCommand,
  options: LinkOptions = {},
): Promise<RawLink> {
  const kept = Object.fromEntries(
    inherited.flatMap((name) => (ownEnv[name] === undefined ? [] : [[name, ownEnv[name]]])),
  )
  const child = spawn(command, [...args], {
    cwd,
    env: { ...kept, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const noise: string[] = []
  const listeners = new Set<(message: JsonObject | undefined, isAlone: boolean) => void>()
  let isOver = false
  const over = new Promise<void>((resolve) => {
    child.once('close', () => {
      isOver = true
      for (const hear of listeners) hear(undefined, false)
      resolve()
    })
  })
  child.stdin.on('error', () => undefined) // it is gone, which `close` says
  let lastWords = ''
  child.stderr.on('data', (chunk: Buffer) => {
    lastWords = `${lastWords}${chunk.toString('utf8')}`.slice(-500)
  })
  child.stderr.on(
    'data',
    splitLines((line) => options.onStderr?.(line)),
  )
  const write = (text: string): void => {
    tellFrame(options, 'out', text)
    child.stdin.write(`${text}\n`)
  }
  const hearLine = (line: string): void => {
    tellFrame(options, 'in', line)
    const message = parse(line)
    if (message === undefined && noise.length < maxLines) noise.push(line.slice(0, maxLine))
    if (message === undefined) return
    const reply = 'method' in message ? options.answer?.(message) : undefined
    if (reply !== undefined) write(JSON.stringify(reply))
    const isAlone = listeners.size === 1
    for (const hear of listeners) hear(message, isAlone)
  }
  child.stdout.on('data', splitLines(hearLine))
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })

  return {
    kind: 'stdio',
    noise: () => noise,
    lastWords: () => (lastWords === '' ? '' : `: ${lastWords.trim()}`),

    exchange(body, { waitMs = 10_000, until } = {}) {
      const before = noise.length
      const messages: JsonObject[] = []
      return new Promise<Exchange>((resolve) => {
        const finish = (ended: Exchange['ended'], answer?: JsonObject): void => {
          clearTimeout(timer)
          listeners.delete(hear)
          resolve({ messages, answer, noise: noise.slice(before), ended })
        }
        const hear = (message: JsonObject | undefined, isAlone: boolean): void => {
          if (message === undefined) return finish('closed')
          messages.push(message)
          if (answers(message, body, isAlone)) finish('answered', message)
        }
        const timer = setTimeout(() => finish('silence'), waitFor(waitMs, options))
        if (isOver) return finish('closed')
        listeners.add(hear)
        void until?.then(() => finish('silence'))
        write(typeof body === 'string' ? body : JSON.stringify(body))
      })
    },

    async endInput(waitMs) {
      child.stdin.end()
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, waitMs)
      })
      await Promise.race([over, late])
      clearTimeout(timer)
      return isOver
    },

    async [Symbol.asyncDispose]() {
      if (isOver) return
      child.stdin.end()
      const timer = setTimeout(() => {
        child.kill('SIGKILL')
        // What it started may hold these open for longer than it lives.
        child.stdout.destroy()
        child.stderr.destroy()
      }, 1_000)
      child.kill('SIGTERM')
      await over
      clearTimeout(timer)
    },
  }
}

function parse(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
