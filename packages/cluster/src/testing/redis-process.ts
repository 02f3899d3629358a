import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve as resolvePath } from 'node:path'
import { env } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

import { endTogether } from './ends-together.ts'

/** The command to install Redis. */
export const installRedis = 'apt-get install -y redis-server'

/** A Redis of one's own. */
export interface RedisProcess extends AsyncDisposable {
  /** Its address, as `redis://127.0.0.1:6379`. */
  readonly url: string
  /** Its port. */
  readonly port: number
  /** Its process id; undefined while it is not running. */
  readonly pid: number | undefined
  /** Again, on the same port. */
  start(): Promise<void>
  /** At once. */
  kill(): Promise<void>
  /** It answers nothing until `resume`. */
  pause(): void
  /** It answers again. */
  resume(): void
}

/** How a Redis for tests is started. */
export interface RedisProcessOptions {
  /** Data outlive the process, on disk. @defaultValue false: it starts empty each time */
  readonly storesData?: boolean | undefined
  /** Further arguments of `redis-server`. */
  readonly args?: readonly string[] | undefined
  /** Arguments that have to come first, such as a configuration file. */
  readonly firstArgs?: readonly string[] | undefined
  /** Its port is for TLS. @defaultValue false */
  readonly isTls?: boolean | undefined
}

/** The server that `PARLEY_REDIS` names, else the first one on the path. Valkey is as good. */
export function findRedis(): string | undefined {
  const named = env['PARLEY_REDIS']
  if (named !== undefined) return existsSync(named) ? named : undefined
  const folders = (env['PATH'] ?? '').split(delimiter)
  const names = ['redis-server', 'valkey-server']
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
}

/** Starts a Redis on a free port of loopback. It ends with this process. */
export async function startRedisProcess(options: RedisProcessOptions = {}): Promise<RedisProcess> {
  const { storesData = false, args = [], firstArgs = [], isTls = false } = options
  const file = findRedis()
  if (file === undefined) throw new Error(`redis-server was not found: ${installRedis}`)
  const program = { file: resolvePath(file) }
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'parley-redis-'))
  const ports = isTls ? ['--port', '0', '--tls-port', String(port)] : ['--port', String(port)]
  const serverArgs = [...firstArgs, ...ports, '--bind', '127.0.0.1', '--dir', folder]
  const keeping = ['--save', '', '--appendonly', storesData ? 'yes' : 'no']
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const started = spawn(program.file, [...serverArgs, ...keeping, ...args], { stdio: 'ignore' })
    server = started
    endTogether(started)
    while (!(await accepts(port))) {
      if (started.exitCode !== null) throw new Error(`redis-server ended with ${started.exitCode}`)
      await sleep(20)
    }
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
    port,
    get pid() {
      return server?.pid
    },
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

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as AddressInfo // it listens on a port
  await new Promise((resolve) => probe.close(resolve))
  return port
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
