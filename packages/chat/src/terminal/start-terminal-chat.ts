import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

import { parleyProgram } from '@parley/foundation/command-line'

import type { Chat } from '../chat.ts'
import type { ChatSetup } from '../core/setup.ts'
import { createKeyReader } from './key-reader.ts'
import type { Size } from './layout.ts'
import { createScreen } from './screen.ts'
import { createTerminalSession } from './session.ts'

/** The terminal that a person sits at. */
export interface TerminalIo {
  /** Where the person types. */
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  /** Where answers appear. */
  readonly stdout: {
    readonly isTTY?: boolean | undefined
    write(text: string | Uint8Array): unknown
  }
  /** For `NO_COLOR` and `TERM`. */
  readonly env: { readonly [name: string]: string | undefined }
  /** Where exported files go. */
  readonly cwd: string
  /** Ends it. */
  readonly signal?: AbortSignal | undefined
  /** A conversation to go on with. @defaultValue a new one */
  readonly conversation?: string | undefined
  /** Offers to choose servers, folders and a model. @defaultValue nothing can be added */
  readonly setup?: ChatSetup | undefined
}

const pasteOn = '\u001b[?2004h'
const pasteOff = '\u001b[?2004l'

/** Talks to a person at a terminal until they leave. The terminal is as it was when it resolves, or rejects. */
export async function startTerminalChat(chat: Chat, io: TerminalIo): Promise<void> {
  const { env, signal } = io
  if (io.stdin.isTTY !== true || io.stdout.isTTY !== true) {
    throw new Error(
      `this needs a terminal: leave out --tui for the page, or use ${parleyProgram} run -p TEXT`,
    )
  }
  const stdin = io.stdin as NodeJS.ReadStream // both are terminals, which have these methods
  const stdout = io.stdout as NodeJS.WriteStream
  using session = createTerminalSession(chat, io)
  using reader = createKeyReader(session.press)
  const decoder = new StringDecoder('utf8')
  const isColored = !env['NO_COLOR'] && env['TERM'] !== 'dumb'

  const onData = (chunk: Buffer | string): void =>
    reader.write(typeof chunk === 'string' ? chunk : decoder.write(chunk))
  const onResize = (): void => screen.draw()
  const restore = (): void => {
    if (stdin.isTTY && stdin.isRaw) stdin.setRawMode(false)
    stdout.write(pasteOff)
  }
  let stop = (): void => {}
  const stopped = new Promise<void>((resolve) => (stop = resolve))

  stdin.setRawMode(true)
  stdout.write(pasteOn)
  process.once('exit', restore) // whatever ends the process
  const screen = createScreen(session, {
    write: (text) => void stdout.write(text),
    size: () => sizeOf(stdout),
    isColored,
  })
  stdin.on('data', onData)
  stdin.once('end', stop)
  stdout.on('resize', onResize)
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted === true) stop()
  try {
    await Promise.race([session.left, stopped])
  } finally {
    signal?.removeEventListener('abort', stop)
    stdout.off('resize', onResize)
    stdin.off('end', stop)
    stdin.off('data', onData)
    screen[Symbol.dispose]()
    process.off('exit', restore)
    restore()
    stdin.pause()
  }
}

function sizeOf({ columns, rows }: NodeJS.WriteStream): Size {
  return { columns: columns || 80, rows: rows || 24 } // some terminals say 0
}
