import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Puts this process, and all that it will start, on one core, where the system can (Linux, with `taskset`). To wake
 * another core that has gone to sleep costs many times what there is to measure, and is counted as the time of whoever
 * wakes it: of a server that is faster than the load generator never, of a slower one with every answer.
 */
export function useOneCore() {
  if (process.platform !== 'linux') return false
  const core = /^Cpus_allowed_list:.*?(\d+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return spawnSync('taskset', ['-acp', core, process.pid]).status === 0
}
