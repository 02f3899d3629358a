import type { Transport } from '@parley/mcp'
import type { CommandEntry } from '@parley/mcp/client'
import { guardChildren, spawnTransport, type ChildHandle } from '@parley/mcp/command'

import type { BridgeOptions } from './bridge-options.ts'
import { watchMemory } from './memory-watch.ts'

/** Starts children of one bridge; all of them end with it, even if it is killed. */
export interface Children extends Disposable {
  /** Starts one more. */
  open(): Promise<Transport>
  /** Those that run now. */
  readonly alive: Iterable<RunningChild>
  /** How many were started so far. */
  readonly started: number
}

/** A child that runs. */
export interface RunningChild {
  readonly handle: ChildHandle
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

export function createChildren(
  command: CommandEntry,
  {
    onStderr,
    onError,
    messageBytes,
    memoryBytes,
  }: Pick<BridgeOptions, 'onStderr' | 'onError' | 'messageBytes' | 'memoryBytes'>,
): Children {
  const guard = guardChildren()
  const alive = new Map<ChildHandle, RunningChild>()
  let started = 0
  const memory =
    memoryBytes === undefined
      ? undefined
      : watchMemory(() => alive.keys(), memoryBytes, { onError })

  return {
    async open() {
      const child = await spawnTransport(command, { onStderr, onError, messageBytes })
      started += 1
      alive.set(child, { handle: child, startedAt: Date.now() })
      void child.exited.then(() => alive.delete(child))
      return child
    },
    get alive() {
      return alive.values()
    },
    get started() {
      return started
    },
    [Symbol.dispose]() {
      memory?.[Symbol.dispose]()
      guard[Symbol.dispose]()
    },
  }
}
