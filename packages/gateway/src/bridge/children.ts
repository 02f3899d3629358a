import type { Transport } from '@parley/mcp'
import type { CommandEntry } from '@parley/mcp/client'
import { guardChildren, spawnTransport, type ChildHandle } from '@parley/mcp/command'

import type { BridgeOptions } from './bridge-options.ts'
import { watchMemory } from './memory-watch.ts'

/** Starts children of one bridge; all of them end with it, even if it is killed. */
export interface Children extends Disposable {
  /** Starts one more. */
  open(): Promise<Transport>
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
  const alive = new Set<ChildHandle>()
  const memory =
    memoryBytes === undefined ? undefined : watchMemory(alive, memoryBytes, { onError })

  return {
    async open() {
      const child = await spawnTransport(command, { onStderr, onError, messageBytes })
      alive.add(child)
      void child.exited.then(() => alive.delete(child))
      return child
    },
    [Symbol.dispose]() {
      memory?.[Symbol.dispose]()
      guard[Symbol.dispose]()
    },
  }
}
