import { readdirSync, readFileSync } from 'node:fs'

import type { OnError } from '@parley/mcp'
import type { ChildHandle } from '@parley/mcp/command'

/** How often the memory of children is looked at. */
const everyMs = 2_000

/** Ends a child whose processes together hold more than they may. Where the system does not tell, nothing is ended. */
export function watchMemory(
  children: () => Iterable<ChildHandle>,
  maxBytes: number,
  { onError, periodMs = everyMs }: { onError?: OnError | undefined; periodMs?: number },
): Disposable {
  const timer = setInterval(() => {
    const [...alive] = children()
    if (alive.length === 0) return
    const memory = memoryByGroup()
    for (const { pid } of alive) {
      const bytes = memory.get(pid) ?? 0
      if (bytes <= maxBytes) continue
      const why = `the server (process ${pid}) holds ${bytes} bytes and may hold ${maxBytes}: it is ended; raise --max-memory if it needs more`
      onError?.(new Error(why), { severity: 'error', operation: 'memory' })
      endGroup(pid)
    }
  }, periodMs)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** Resident memory of every process group, as Linux tells it. */
export function memoryByGroup(): ReadonlyMap<number, number> {
  const memory = new Map<number, number>()
  for (const name of processes()) {
    try {
      // Fields are counted from behind the name, which may hold anything: state, parent, group, … and 21 later, pages.
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const group = Number(fields[2])
      memory.set(group, (memory.get(group) ?? 0) + Number(fields[21]) * pageBytes)
    } catch {
      // It has ended since it was listed.
    }
  }
  return memory
}

function processes(): readonly string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return [] // another system
  }
}

const pageBytes = 4_096

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
