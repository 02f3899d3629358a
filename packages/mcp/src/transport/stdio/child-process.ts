/**
 * Starts a server as a child process and returns the transport over its standard streams. Disposing closes its input, waits, and then ends
 * its process tree.
 *
 * Framing is in `line-channel.ts`, starting in `start-child.ts`, ending the tree in `process-tree.ts`. Text on standard output that is not a
 * message is reported, not fatal.
 */

import type { CommandEntry } from '../../client/server-entry.ts'
import { McpError, type ChildDetails } from '../../rpc/errors/mcp-error.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { waitAtMost } from '../../rpc/signals.ts'
import { type MessageSink, type Transport, iterateMessages } from '../../rpc/transport.ts'
import { openLineChannel } from './line-channel.ts'
import { lastWordsMs, stopChild, watchExit, type StopTimes } from './process-tree.ts'
import { nameCommand, startChild } from './start-child.ts'
import { createStderrRing } from './stderr-ring.ts'

/** The process behind a transport. */
export interface ChildHandle {
  /** Its process id. */
  readonly pid: number
  /** How it ended, with the end of its stderr. Never rejects. */
  readonly exited: Promise<ChildDetails>
  /** The last 64 KiB it wrote to its stderr. */
  stderr(): string
}

/** How a command is listened to, and ended. */
export interface SpawnOptions {
  /** Called for each line it writes to its standard error. */
  readonly onStderr?: ((line: string) => void) | undefined
  /** Hears of lines on its stdout that cannot be messages, such as a stray log; at most 500 characters of each. */
  readonly onError?: OnError | undefined
  /** @defaultValue 64 MiB */
  readonly messageBytes?: number | undefined
  /** @defaultValue 1 MiB */
  readonly bufferedBytes?: number | undefined
  /** @defaultValue 2 s from the end of its stdin to SIGTERM, 2 s more to SIGKILL */
  readonly stop?: Partial<StopTimes> | undefined
}

/**
 * Starts a server and speaks with it over its standard streams. Disposing closes its stdin, waits, then ends its whole
 * tree; it resolves when all of it is gone and never rejects. Rejects with `spawn_failed` if it cannot be started.
 */
export async function spawnTransport(
  entry: CommandEntry,
  options: SpawnOptions = {},
): Promise<Transport & ChildHandle> {
  const peer = nameCommand(entry)
  const { process: child, started } = startChild(entry, peer)
  const stderr = createStderrRing(options.onStderr)
  child.stderr.on('data', stderr.push)
  child.stderr.on('error', () => {}) // what cannot be read is lost, the server is not
  const channel = openLineChannel({ ...options, input: child.stdout, output: child.stdin, peer })
  await started

  const pid = child.pid! // a started child has one
  const stop = { stdinMs: 2_000, termMs: 2_000, ...definedOnly(options.stop) }
  const exit = watchExit(child, pid, stderr, stop)
  let stopped: Promise<void> | undefined
  let hasReceiver = false
  let hasSent = false
  void exit.exited.then(closeStdout)

  /** Someone who escaped from the tree may hold it; but first everything that arrived is delivered. */
  function closeStdout(): void {
    if (child.stdout.destroyed) return
    setTimeout(() => {
      if (hasReceiver && !channel.isPaused()) child.stdout.destroy()
      else closeStdout()
    }, lastWordsMs).unref()
  }

  async function dispose(): Promise<void> {
    channel.discardInput()
    void channel.closeOutput().then(() => child.stdin.end())
    await stopChild(pid, exit, stop)
    child.stdin.destroy()
    child.stdout.destroy()
    child.stderr.destroy()
  }

  function receive(sink: MessageSink): void {
    hasReceiver = true
    channel.receive({
      message(message) {
        if (typeof message === 'string' && !isMessage(message)) return reportNoise(message)
        hasSent = true
        return sink.message(message)
      },
      end(cause) {
        if (stopped) return sink.end()
        void waitAtMost(lastWordsMs, exit.exited).then(async (hasExited) => {
          const details = hasExited ? await exit.exited : { stderr: stderr.text() }
          sink.end(stopped ? undefined : disconnectedError(details, { peer, hasSent, cause }))
          stopped ??= dispose()
        })
      },
    })
  }

  function reportNoise(line: string): void {
    try {
      options.onError?.(noise(line.slice(0, 500), entry.command), { severity: 'warning' })
    } catch {
      // A fault of the listener must not stop the reading, and there is no call to reject.
    }
  }

  return {
    kind: 'stdio',
    peer,
    pid,
    exited: exit.exited,
    stderr: stderr.text,
    messages: iterateMessages(receive),
    receive,
    send: channel.send,
    [Symbol.asyncDispose]: () => (stopped ??= dispose()),
  }
}

function noise(line: string, command: string): McpError {
  const why = `${command} wrote text to stdout that is not a JSON-RPC message`
  return new McpError('invalid_message', why, {
    details: { excerpt: line },
    hint: 'Servers log to stderr; stdout carries messages.',
  })
}

/** Every message is an object, or in one revision an array of them. */
function isMessage(line: string): boolean {
  const first = line.charAt(0)
  if (first === '{' || first === '[') return true
  return /^\s+[{[]/.test(line)
}

function disconnectedError(
  details: ChildDetails,
  { peer, hasSent, cause }: { peer: string; hasSent: boolean; cause: unknown },
): McpError {
  const how = describeExit(details)
  const hint = details.stderr?.trim()
    ? `Its stderr ends with: ${details.stderr.trim().slice(-400)}`
    : 'It wrote nothing to its stderr; run the command in a terminal to see what it does.'
  const options = { peer, hint, ...(cause !== undefined && { cause }) }
  return hasSent
    ? new McpError('connection_lost', `${peer} ${how}`, {
        ...options,
        details: { ...details, sent: true },
      })
    : new McpError('spawn_failed', `${peer} ${how} before its first message`, {
        ...options,
        details,
      })
}

function describeExit({ exitCode, exitSignal }: ChildDetails): string {
  if (exitSignal) return `was ended by ${exitSignal}`
  return typeof exitCode === 'number' ? `exited with code ${exitCode}` : 'closed its stdout'
}

function definedOnly(times: Partial<StopTimes> = {}): Partial<StopTimes> {
  return Object.fromEntries(Object.entries(times).filter(([, ms]) => ms !== undefined))
}
