import type { Readable, Writable } from 'node:stream'

import type { CommandEntry } from '../../client/server-entry.ts'
import type { ChildDetails } from '../../rpc/errors/mcp-error.ts'
import { stopChild, watchExit, type StopTimes } from './process-tree.ts'
import { nameCommand, startChild } from './start-child.ts'
import { createStderrRing } from './stderr-ring.ts'

/** A command that runs, for who speaks with it by hand. */
export interface StartedCommand extends AsyncDisposable {
  /** Its process id. */
  readonly pid: number
  /** The child's input. */
  readonly stdin: Writable
  /** The child's output. */
  readonly stdout: Readable
  /** The last 64 KiB of its standard error. */
  stderr(): string
  /** How it ended, with the end of its standard error. Never rejects. */
  readonly exited: Promise<ChildDetails>
}

/** Options for standard error, and for ending the process. */
export interface StartCommandOptions {
  /** Called for each line it writes to its standard error. */
  readonly onStderr?: ((line: string) => void) | undefined
  /** @defaultValue 2 s from the end of its stdin to SIGTERM, 2 s more to SIGKILL */
  readonly stop?: StopTimes | undefined
}

/**
 * Starts a command as `connect` does: found and with the environment as there, in a process group of its own. Disposing
 * closes its stdin, waits, then ends it and whatever it started; nothing of it outlives this process either. Rejects with
 * `spawn_failed` if it cannot be started.
 */
export async function startCommand(
  entry: CommandEntry,
  { onStderr, stop = { stdinMs: 2_000, termMs: 2_000 } }: StartCommandOptions = {},
): Promise<StartedCommand> {
  const { process: child, started } = startChild(entry, nameCommand(entry))
  const stderr = createStderrRing(onStderr)
  child.stderr.on('data', stderr.push)
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {}) // `exited` tells
  await started

  const pid = child.pid! // a started child has one
  const exit = watchExit(child, pid, stderr, stop)
  let stopped: Promise<void> | undefined

  async function dispose(): Promise<void> {
    child.stdin.end()
    await stopChild(pid, exit, stop)
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
  }

  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: stderr.text,
    exited: exit.exited,
    [Symbol.asyncDispose]: () => (stopped ??= dispose()),
  }
}
