import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { connect, type Client } from '@parley/mcp/client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

import { findFreePort } from '../../test-support/free-port.ts'
import { findHaproxy, findNginx } from '../../test-support/programs.ts'
import { hasRedis, ownRedis } from '../../test-support/redis-server.ts'
import { folderWith } from '../../test-support/temporary-folder.ts'

const folder = fileURLToPath(new URL('../cluster/', import.meta.url))
const main = fileURLToPath(new URL('../dist/cluster/main.js', import.meta.url))
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const nginx = findNginx()
const haproxy = findHaproxy()
const timeout = 60_000

/** Runs a program until the test is over; resolves with its first line that has `text`. */
function run(
  command: string,
  args: readonly string[],
  text: string,
  environment: Readonly<Record<string, string>> = {},
  onStarted: (program: ChildProcess) => void = () => undefined,
): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', ...environment }
  const program = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  onStarted(program)
  onTestFinished(async () => {
    const ended = new Promise((resolve) => program.once('exit', resolve))
    if (program.exitCode !== null) return
    program.kill('SIGTERM')
    await ended
  })
  return new Promise((resolve, reject) => {
    const lines: string[] = []
    createInterface(program.stderr).on('line', (line) => {
      lines.push(line)
      if (line.includes(text)) resolve(line)
    })
    program.once('exit', () => reject(new Error(lines.join('\n'))))
  })
}

/** Two processes of the program, and the port of each. `stop` ends the one at a port. */
async function startTwo(
  publicUrl: string,
): Promise<readonly number[] & { stop(port: number): Promise<void> }> {
  const redis = await ownRedis()
  onTestFinished(() => redis[Symbol.asyncDispose]())
  const secrets = folderWith({ secret: `${'a secret of this test '.repeat(2)}\n` })
  const ports = [await findFreePort(), await findFreePort()]
  const programs = new Map<number, ChildProcess>()
  await Promise.all(
    ports.map((port) => {
      const environment = {
        REDIS_URL: redis.url,
        SECRET_FILE: join(secrets, 'secret'),
        PUBLIC_URL: publicUrl,
        PORT: String(port),
      }
      const onStarted = (program: ChildProcess) => void programs.set(port, program)
      return run(execPath, [main], 'clock listens on', environment, onStarted)
    }),
  )
  async function stop(port: number): Promise<void> {
    const program = programs.get(port)
    const ended = new Promise((resolve) => program?.once('exit', resolve))
    program?.kill('SIGTERM')
    await ended
  }
  return Object.assign(ports, { stop })
}

async function placesOf(url: string, fetchFrom: typeof fetch = fetch): Promise<number> {
  await using client = await connect(url, { fetch: fetchFrom, protocolVersion: 'legacy' })
  const places = new Set<string>()
  for (let call = 0; call < 8; call += 1) {
    places.add(JSON.stringify((await client.callTool('where', {})).content))
  }
  return places.size
}

describe.skipIf(!hasRedis)('the program for many machines', () => {
  test('any process takes any request', { timeout }, async () => {
    const ports = await startTwo('http://127.0.0.1/mcp')
    let turn = 0
    const roundRobin: typeof fetch = (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input)
      url.port = String(ports[turn++ % ports.length])
      return fetch(url, init)
    }

    expect(await placesOf(`http://127.0.0.1:${ports[0]}/mcp`, roundRobin)).toBe(2)
  })

  test.skipIf(nginx === undefined)(
    'behind nginx with its file a session stays at one process, and goes on when that ends',
    { timeout },
    async () => {
      const port = await findFreePort()
      const ports = await startTwo(`http://localhost:${port}/mcp`)
      const servers = ports
        .map((one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=5s;`)
        .join(' ')
      const text = read('nginx.conf')
        .replace(/(?:\s*server server-\d:3000 .*;)+/, `\n    ${servers}`)
        .replace('listen 8080;', `listen 127.0.0.1:${port};`)
        .replace(
          'http {',
          'http { access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;',
        )
      const place = folderWith({
        'nginx.conf': `daemon off; pid nginx.pid; error_log stderr notice; ${text}`,
      })
      const args = ['-e', 'stderr', '-p', place, '-c', join(place, 'nginx.conf')]
      await run(nginx ?? '', args, 'start worker process ')

      await expectAffinity(`http://127.0.0.1:${port}/mcp`, ports, { isStrict: true })
    },
  )

  test.skipIf(haproxy === undefined)(
    'behind HAProxy with its file the same',
    { timeout },
    async () => {
      const port = await findFreePort()
      const ports = await startTwo(`http://localhost:${port}/mcp`)
      const servers = ports.map((one, at) => `  server server-${at} 127.0.0.1:${one}`).join('\n')
      const text = read('haproxy.cfg')
        .replace(/(?:\s*server server-\d server-\d:3000)+/, `\n${servers}`)
        .replace('bind :8080', `bind 127.0.0.1:${port}`)
        .replace('maxconn 10000', 'maxconn 100')
      const place = folderWith({ 'haproxy.cfg': text })
      run(haproxy ?? '', ['-db', '-f', join(place, 'haproxy.cfg')], 'it says nothing').catch(
        () => undefined,
      )
      const url = `http://127.0.0.1:${port}/mcp`
      await vi.waitFor(() => fetch(url), { timeout })

      await expectAffinity(url, ports, { isStrict: false }) // it moves some where one process has much more than the other
    },
  )
})

/** Sessions are spread over both processes, each stays where it is, and goes on when its process ends. */
async function expectAffinity(
  url: string,
  ports: Awaited<ReturnType<typeof startTwo>>,
  { isStrict }: { readonly isStrict: boolean },
): Promise<void> {
  const clients = await Promise.all(
    Array.from({ length: 12 }, () => connect(url, { protocolVersion: 'legacy' })),
  )
  onTestFinished(async () => void (await Promise.all(clients.map((client) => client.close()))))
  const where = async (client: Client) =>
    JSON.stringify((await client.callTool('where', {})).content)
  const first = await Promise.all(clients.map(where))
  const second = await Promise.all(clients.map(where))

  await ports.stop(ports[0] ?? 0)
  const after = await Promise.all(clients.map(where))

  if (isStrict) expect(second).toEqual(first)
  expect(new Set(first).size).toBe(2)
  expect(new Set(after).size).toBe(1)
}

describe('the files for many machines', () => {
  const names = ['server-1', 'server-2', 'server-3']

  test('nginx, HAProxy and Envoy send to every server of the compose file, a session to one', () => {
    const { services } = parse(read('compose.yaml')) as { services: Record<string, object> }

    expect(Object.keys(services)).toEqual([...names, 'redis', 'nginx', 'haproxy'])
    for (const name of names) {
      expect(read('nginx.conf')).toContain(`server ${name}:3000 `)
      expect(read('haproxy.cfg')).toContain(`server ${name} ${name}:3000`)
      expect(read('envoy.yaml')).toContain(`address: ${name}, port_value: 3000 `)
    }
  })

  test('the file for Envoy is YAML, hashes the header of sessions, and says what it balances', () => {
    const { static_resources: resources } = parse(read('envoy.yaml')) as {
      readonly static_resources: { readonly clusters: readonly [{ readonly lb_policy: string }] }
    }

    expect(resources.clusters[0].lb_policy).toBe('RING_HASH')
    expect(read('envoy.yaml')).toContain('header_name: mcp-session-id')
  })

  test('every file that the compose file mounts exists', () => {
    const { services } = parse(read('compose.yaml')) as {
      services: Record<string, { volumes?: string[] }>
    }
    const mounted = Object.values(services)
      .flatMap(({ volumes = [] }) => volumes)
      .filter((volume) => volume.startsWith('./'))

    expect(mounted).toHaveLength(2)
    for (const volume of mounted) {
      expect(existsSync(join(folder, volume.split(':')[0] ?? '')), volume).toBe(true)
    }
  })

  test('the manifest of Kubernetes has the paths and variables of the program', () => {
    const documents = parseAllDocuments(read('kubernetes.yaml'))
    const [deployment] = documents.map((document) => document.toJS() as Manifest)

    expect(documents.flatMap(({ errors }) => errors)).toEqual([])
    expect(documents.map((document) => (document.toJS() as Manifest).kind)).toEqual([
      'Deployment',
      'Service',
      'PodDisruptionBudget',
    ])
    const [container] = deployment?.spec.template.spec.containers ?? []
    expect(container?.readinessProbe.httpGet.path).toBe('/readyz')
    expect(container?.livenessProbe.httpGet.path).toBe('/healthz')
    const known = /const \{ (.*) \} = environment/.exec(read('server.ts'))?.[1]?.split(', ') ?? []
    for (const { name } of container?.env ?? []) expect(known).toContain(name)
  })
})

interface Manifest {
  readonly kind: string
  readonly spec: { readonly template: { readonly spec: { readonly containers: Container[] } } }
}

interface Container {
  readonly env: readonly { readonly name: string }[]
  readonly readinessProbe: { readonly httpGet: { readonly path: string } }
  readonly livenessProbe: { readonly httpGet: { readonly path: string } }
}
