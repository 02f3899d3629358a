import { spawn, spawnSync } from 'node:child_process'

import { systemProgram } from './programs.ts'

/** Ends processes of Windows and all they started, by force. Whether it worked is seen by their exit. */
export function killWindowsTrees(pids: readonly number[]): void {
  const kill = spawn(systemProgram('taskkill'), taskkillArgs(pids), {
    stdio: 'ignore',
    windowsHide: true,
  })
  kill.on('error', () => {}) // the tree has just ended: the caller waits for the exit in any case
  kill.unref()
}

/** The same before this process goes on: one program for all of them. */
export function killWindowsTreesNow(pids: readonly number[]): void {
  if (pids.length === 0) return
  spawnSync(systemProgram('taskkill'), taskkillArgs(pids), { stdio: 'ignore', windowsHide: true })
}

function taskkillArgs(pids: readonly number[]): string[] {
  return ['/T', '/F', ...pids.flatMap((pid) => ['/PID', String(pid)])]
}
