import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'

import { findFreePort } from './free-port.ts'
import { endWithProcess, findProgram, untilListening } from './server-program.ts'

/** The server that `PARLEY_REDIS` names, else the first one on the path. Valkey is as good. */
const redisPath = env['PARLEY_REDIS'] ?? findProgram(['redis-server', 'valkey-server'])

export const hasRedis = redisPath !== undefined && existsSync(redisPath)
export const installRedis = 'apt-get install -y redis-server'

/** A Redis server of a test, which can be ended and started again on the same port. It keeps nothing on disk. */
export interface TestRedis extends AsyncDisposable {
  readonly url: string
  start(): Promise<void>
  /** At once, with all data. */
  kill(): Promise<void>
  /** It answers nothing until `resume`. */
  pause(): void
  resume(): void
}

/** Starts a server on a free port of loopback; `--tls` among the arguments makes it one for TLS. */
export async function startRedis(
  args: readonly string[] = [],
  before: readonly string[] = [],
): Promise<TestRedis> {
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'parley-redis-'))
  const isTls = args.includes('--tls')
  const ports = isTls ? ['--port', '0', '--tls-port', String(port)] : ['--port', String(port)]
  const place = [...before, ...ports, '--bind', '127.0.0.1', '--dir', folder]
  const others = args.filter((argument) => argument !== '--tls')
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const all = [...place, '--save', '', '--appendonly', 'no', ...others]
    const started = spawn(redisPath ?? 'redis-server', all, { stdio: 'ignore' })
    server = started
    endWithProcess(started)
    await untilListening(port, started)
  }

  async function kill(): Promise<void> {
    const ending = server
    server = undefined
    if (ending === undefined || ending.exitCode !== null) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGKILL')
    await ended
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    pause: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
