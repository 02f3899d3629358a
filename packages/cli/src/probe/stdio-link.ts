import { startCommand } from '@parley/mcp/command'
import { parseJson, isJsonObject } from '@parley/mcp/json'

import { type JsonObject } from '../json.ts'
import { answers, type Exchange, type RawLink } from './exchange.ts'
import { reportFrame, waitFor, type LinkOptions } from './link-options.ts'
import { splitLines } from './split-lines.ts'

/** A command to start, with its variables resolved. */
export type StdioCommand = Parameters<typeof startCommand>[0]

/** Its pipes, and its end. */
export type RunningProgram = Pick<
  Awaited<ReturnType<typeof startCommand>>,
  'stdin' | 'stdout' | 'stderr' | typeof Symbol.asyncDispose
> & { readonly exited: Promise<unknown> }

const maxLine = 200
const maxLines = 1_000
/** Only looked at, so it gets less time to end than a server in use. */
const stop = { stdinMs: 0, termMs: 1_000 }

/** Starts a server and talks to it line by line. Rejects if it cannot be started. */
export async function openStdioLink(
  command: StdioCommand,
  options: LinkOptions = {},
): Promise<RawLink> {
  options.signal?.throwIfAborted()
  return linkTo(await startCommand(command, { onStderr: options.onStderr, stop }), options)
}

/** Talks line by line to a program that runs. */
export function linkTo(child: RunningProgram, options: LinkOptions = {}): RawLink {
  const noise: string[] = []
  const listeners = new Set<(message: JsonObject | undefined, isAlone: boolean) => void>()
  let isOver = false
  const closed = new Promise<void>((resolve) => void child.stdout.once('close', resolve))
  // Its last lines first; but what it started may hold its output for longer than it lives.
  const over = child.exited.then(async () => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, 500)
    })
    await Promise.race([closed, late])
    clearTimeout(timer)
    isOver = true
    for (const onMessage of listeners) onMessage(undefined, false)
  })
  const write = (text: string): void => {
    reportFrame(options, 'out', text)
    child.stdin.write(`${text}\n`)
  }
  const hearLine = (line: string): void => {
    reportFrame(options, 'in', line)
    const message = parse(line)
    if (message === undefined && noise.length < maxLines) noise.push(line.slice(0, maxLine))
    if (message === undefined) return
    const reply = 'method' in message ? options.answer?.(message) : undefined
    if (reply !== undefined) write(JSON.stringify(reply))
    const isAlone = listeners.size === 1
    for (const onMessage of listeners) onMessage(message, isAlone)
  }
  child.stdout.on('data', splitLines(hearLine))

  return {
    kind: 'stdio',
    noise: () => noise,
    lastWords() {
      const words = child.stderr().slice(-500).trim()
      return words === '' ? '' : `: ${words}`
    },

    exchange(body, { waitMs = 10_000, until } = {}) {
      const before = noise.length
      const messages: JsonObject[] = []
      return new Promise<Exchange>((resolve, reject) => {
        const { signal } = options
        const giveUp = (): void => {
          clear()
          reject(signal?.reason)
        }
        const clear = (): void => {
          clearTimeout(timer)
          listeners.delete(onMessage)
          signal?.removeEventListener('abort', giveUp)
        }
        const finish = (ended: Exchange['ended'], answer?: JsonObject): void => {
          clear()
          resolve({ messages, answer, noise: noise.slice(before), ended })
        }
        const onMessage = (message: JsonObject | undefined, isAlone: boolean): void => {
          if (message === undefined) return finish('closed')
          messages.push(message)
          if (answers(message, body, isAlone)) finish('answered', message)
        }
        const timer = setTimeout(() => finish('silence'), waitFor(waitMs, options))
        if (isOver) return finish('closed')
        if (signal?.aborted) return giveUp()
        signal?.addEventListener('abort', giveUp)
        listeners.add(onMessage)
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

    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

function parse(line: string): JsonObject | undefined {
  try {
    const value = parseJson(line)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
