import type { ChildProcessWithoutNullStreams } from 'node:child_process'

import type { ChildDetails } from '../../rpc/errors/mcp-error.ts'
import { isTreeAlive, ownTree, signalTree } from './process-tree.ts'
import type { StderrRing } from './stderr-ring.ts'

/** How long each step of ending a child may take. */
export interface StopTimes {
  /** From closing its stdin to SIGTERM. */
  readonly stdinMs: number
  /** From SIGTERM to SIGKILL. */
  readonly termMs: number
}

/** The end of a child and of what it started. */
export interface ChildExit {
  /** When the child has exited and its stderr has been read. */
  readonly exited: Promise<ChildDetails>
  /** When nothing of its tree is left either. */
  readonly gone: Promise<void>
}

/**
 * Watches a child from its start. The child is the server, so what it leaves behind in its process group is ended
 * like itself: SIGTERM at once, SIGKILL if that does not help. Until then none of it outlives this process.
 */
export function watchExit(
  child: ChildProcessWithoutNullStreams,
  pid: number,
  stderr: StderrRing,
  stop: StopTimes,
): ChildExit {
  const disown = ownTree(pid)
  const stderrEnded = new Promise<void>((resolve) => void child.stderr.once('close', resolve))
  const exit = new Promise<ChildDetails>((resolve) => {
    child.once('exit', (exitCode, exitSignal) => resolve({ exitCode, exitSignal }))
  })

  const gone = exit.then(() => sweep(pid, stop.termMs)).finally(disown)
  const exited = exit.then(async (details) => {
    await within(stderrEnded, lastWordsMs)
    stderr.end()
    return { ...details, stderr: stderr.text() }
  })
  return { exited, gone }
}

/** Ends a child whose stdin has been closed: waits, asks, insists. */
export async function stopChild(pid: number, { gone }: ChildExit, stop: StopTimes): Promise<void> {
  if (await within(gone, stop.stdinMs)) return
  signalTree(pid, 'SIGTERM')
  if (await within(gone, stop.termMs)) return
  signalTree(pid, 'SIGKILL')
  await within(gone, killMs)
}

async function sweep(pid: number, termMs: number): Promise<void> {
  if (!isTreeAlive(pid)) return
  signalTree(pid, 'SIGTERM')
  for (let waitedMs = 0; waitedMs < termMs && isTreeAlive(pid); waitedMs += pollMs)
    await wait(pollMs)
  // The number is still theirs: it is not given to a new process while the group has a member.
  if (isTreeAlive(pid)) signalTree(pid, 'SIGKILL')
}

/** Whether it settled in time. */
export async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, ms, false)))
  try {
    return await Promise.race([promise.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}

/** A descendant that escaped may hold a stream open for ever. */
export const lastWordsMs = 500
/** What SIGKILL does not end in this time is stuck in the kernel. */
const killMs = 5_000
const pollMs = 20
