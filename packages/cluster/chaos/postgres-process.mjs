/** A PostgreSQL server of its own, on a free port of loopback. */

import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process, { env, getuid, kill as signal } from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

import pg from 'pg'

export const installPostgres = 'apt-get install -y postgresql'

/** Debian keeps the server's programs out of the path. @param {string} name */
function findProgram(name) {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian) : []
  const folders = [
    ...(env['PATH'] ?? '').split(delimiter),
    ...versions.toReversed().map((version) => join(debian, version, 'bin')),
  ]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

export const hasPostgres = findProgram('postgres') !== undefined

export async function startPostgresProcess() {
  const initdb = findProgram('initdb')
  const program = findProgram('postgres')
  if (initdb === undefined || program === undefined) {
    throw new Error(`postgres was not found: ${installPostgres}`)
  }
  const path = program
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'parley-postgres-'))
  const user = serverUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const around = /** @type {const} */ ({ cwd: folder, stdio: 'ignore', ...user })
  const data = join(folder, 'data')
  const made = [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  ]
  execFileSync(initdb, made, around)
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let server

  async function start() {
    const position = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder]
    const started = spawn(path, [...position, '-F', '-N', '300'], around)
    server = started
    const end = () => void started.kill('SIGQUIT')
    process.once('exit', end)
    started.once('exit', () => process.off('exit', end))
    while (!(await answers(port))) {
      if (started.exitCode !== null) throw new Error(`postgres ended with ${started.exitCode}`)
      await wait(50)
    }
  }

  async function kill() {
    const ending = server
    server = undefined
    if (ending === undefined || ending.exitCode !== null) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGQUIT')
    await ended
  }

  /** A server has one process per connection. @param {'SIGSTOP' | 'SIGCONT'} name */
  function signalAll(name) {
    const pid = server?.pid
    if (pid === undefined) return
    signal(pid, name)
    const list = `/proc/${pid}/task/${pid}/children`
    const children = existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(Boolean) : []
    for (const child of children) signal(Number(child), name)
  }

  await start()
  return {
    port,
    start,
    kill,
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** @param {number} port */
async function answers(port) {
  const client = new pg.Client({
    connectionString: `postgres://postgres@127.0.0.1:${port}/postgres`,
  })
  client.on('error', () => undefined) // it may be cut off again at once
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/** PostgreSQL refuses to run as root. */
function serverUser() {
  if (getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  const found = ['postgres:', 'nobody:'].flatMap((name) =>
    users.filter((line) => line.startsWith(name)),
  )
  const [, , uid, gid] = (found[0] ?? '').split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

/** @returns {Promise<number>} */
async function findFreePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address())
  await new Promise((resolve) => probe.close(resolve))
  return port
}
