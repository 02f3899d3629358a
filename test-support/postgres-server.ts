import {
  execFileSync,
  spawn,
  type ChildProcess,
  type ExecFileSyncOptions,
} from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid, kill as signal, pid as ownPid } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { Client } from 'pg'

import { findFreePort } from './free-port.ts'
import { findPostgres } from './programs.ts'
import { endWithProcess, sharedServer, untilListening } from './server-program.ts'

const initdbPath = findPostgres('initdb')
const postgresPath = findPostgres('postgres')

export const hasPostgres = initdbPath !== undefined && postgresPath !== undefined

/** A PostgreSQL server of a test, which can be ended and started again with its data. */
export interface TestPostgres extends AsyncDisposable {
  readonly connectionString: string
  start(): Promise<void>
  /** At once, as after a crash. */
  kill(): Promise<void>
  /** It answers nothing until `resume`. */
  pause(): void
  resume(): void
}

/** A server of one test, which may kill it; all others share one: `sharedPostgres`. */
export async function ownPostgres({ connections = 100 } = {}): Promise<TestPostgres> {
  const port = await findFreePort()
  const connectionString = `postgres://postgres@127.0.0.1:${port}/postgres`
  const folder = mkdtempSync(join(tmpdir(), 'parley-postgres-'))
  const user = serverUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const surroundings = { cwd: folder, stdio: 'ignore', ...user } as const
  const data = join(folder, 'data')
  makeData(data, surroundings)
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const place = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder]
    const sizes = ['-F', '-N', String(connections)]
    const started = spawn(postgresPath ?? 'postgres', [...place, ...sizes], surroundings)
    server = started
    endWithProcess(started, 'SIGQUIT')
    await untilListening(port, started)
    await untilAnswering(connectionString, started)
  }

  async function kill(): Promise<void> {
    const ending = server
    server = undefined
    if (ending === undefined || ending.exitCode !== null) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGQUIT')
    await ended
  }

  function signalAll(name: 'SIGSTOP' | 'SIGCONT'): void {
    const pid = server?.pid
    if (pid === undefined) return
    signal(pid, name)
    for (const child of childrenOf(pid)) signal(child, name)
  }

  await start()
  return {
    connectionString,
    start,
    kill,
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A database that only its test file knows, on the server that all tests of a run share. It goes with that server. */
export async function sharedPostgres(template?: DatabaseTemplate): Promise<string> {
  const address = await sharedServer('postgres')
  const client = new Client({ connectionString: address })
  await client.connect()
  try {
    const source = template === undefined ? 'template1' : await provide(client, template)
    const name = `test_${randomUUID().replaceAll('-', '')}`
    await client.query(`create database ${name} template ${source}`)
    return addressOf(client, name)
  } finally {
    await client.end()
  }
}

/** What databases begin with: filled once for each run, then copied. */
export interface DatabaseTemplate {
  readonly name: string
  fill(connectionString: string): Promise<void>
}

/** The database to copy. Workers that want the same one at the same time wait for the first of them. */
async function provide(client: Client, { name, fill }: DatabaseTemplate): Promise<string> {
  await client.query('select pg_advisory_lock(hashtext($1))', [name])
  const found = await client.query('select from pg_database where datname = $1', [name])
  if (found.rowCount === 0) {
    const draft = `${name}_draft`
    await client.query(`drop database if exists ${draft}`)
    await client.query(`create database ${draft}`)
    await fill(addressOf(client, draft))
    await client.query(`alter database ${draft} rename to ${name}`)
  }
  await client.query('select pg_advisory_unlock(hashtext($1))', [name])
  return name
}

function addressOf({ port }: Client, database: string): string {
  return `postgres://postgres@127.0.0.1:${port}/${database}`
}

/** As `initdb` makes it, which takes ten times as long as a copy of what it made for the first test. */
function makeData(data: string, surroundings: ExecFileSyncOptions): void {
  const initdb = initdbPath ?? 'initdb'
  const kept = fileURLToPath(new URL('../node_modules/.cache/parley-postgres/', import.meta.url))
  const template = join(kept, `${getuid?.()}-${Math.round(statSync(initdb).mtimeMs)}`)
  if (existsSync(template)) return copy(template, data)
  const settings = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  execFileSync(initdb, ['-D', data, ...settings], surroundings)
  const draft = `${template}-${ownPid}`
  mkdirSync(kept, { recursive: true })
  copy(data, draft)
  try {
    renameSync(draft, template) // in one step: nobody sees half of it
  } catch {
    rmSync(draft, { recursive: true, force: true }) // another process was first
  }
}

/** With owners and modes: the server refuses data of others. */
function copy(from: string, to: string): void {
  execFileSync('cp', ['-R', '-p', from, to])
}

/** It accepts connections before it can use them: those are told that it is starting up. */
async function untilAnswering(connectionString: string, server: ChildProcess): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString })
    client.on('error', () => undefined) // it may be cut off again at once
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (server.exitCode !== null) throw error
    }
    await sleep(20)
  }
}

/** PostgreSQL refuses to run as root. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  const found = ['postgres:', 'nobody:'].flatMap((name) =>
    users.filter((line) => line.startsWith(name)),
  )
  const [, , uid, gid] = (found[0] ?? '').split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

/** A server has one process per connection. */
function childrenOf(pid: number): readonly number[] {
  const list = `/proc/${pid}/task/${pid}/children`
  return existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number) : []
}
