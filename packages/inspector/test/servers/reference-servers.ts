import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import type { ConfiguredServer } from '@parley/inspector'

/** One of the servers, and a call that shows that it does what it is for. */
export interface ReferenceServer extends ConfiguredServer {
  readonly tools: readonly string[]
  readonly call: readonly [tool: string, args: object]
  /** A part of the answer, as JSON. */
  readonly answer: string
}

/** All of them with something to work on, until it is disposed of. */
export async function referenceServers(): Promise<
  AsyncDisposable & { readonly servers: readonly ReferenceServer[] }
> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'seven-')))
  await writeFile(join(folder, 'note.txt'), 'forty-two')
  const repository = join(folder, 'repository')
  await mkdir(repository)
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: repository })
  await writeFile(join(repository, 'new.txt'), 'new')
  const web = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<html><body><article><h1>Tides</h1><p>Twice a day.</p></article></body></html>')
  }).listen(0, '127.0.0.1')
  await once(web, 'listening')
  const { port } = web.address() as AddressInfo // it listens on a port

  return {
    servers: [
      {
        ...program('everything', 'stdio'),
        tools: ['echo', 'get-sum', 'get-tiny-image'],
        call: ['get-sum', { a: 20, b: 22 }],
        answer: 'The sum of 20 and 22 is 42.',
      },
      {
        ...program('fetch', '--allow-private-ips', '--ignore-robots-txt'),
        tools: ['fetch'],
        call: ['fetch', { url: `http://127.0.0.1:${port}/` }],
        answer: 'Twice a day.',
      },
      {
        ...program('filesystem', folder),
        settings: { roots: [folder] }, // it asks for them
        tools: ['read_text_file', 'write_file', 'search_files'],
        call: ['read_text_file', { path: join(folder, 'note.txt') }],
        answer: 'forty-two',
      },
      {
        ...program('git', '--repository', repository),
        tools: ['git_status', 'git_commit', 'git_log'],
        call: ['git_status', { repo_path: repository }],
        answer: 'new.txt',
      },
      {
        ...program('memory', '--file', join(folder, 'memory.jsonl')),
        tools: ['create_entities', 'read_graph'],
        call: [
          'create_entities',
          { entities: [{ name: 'Ada', entityType: 'person', observations: ['countess'] }] },
        ],
        answer: 'countess',
      },
      {
        ...program('sequential-thinking'),
        tools: ['sequentialthinking'],
        call: [
          'sequentialthinking',
          { thought: 'Why?', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 },
        ],
        answer: '"thoughtHistoryLength":1',
      },
      {
        ...program('time'),
        tools: ['get_current_time', 'convert_time'],
        call: [
          'convert_time',
          { source_timezone: 'Asia/Tokyo', time: '09:00', target_timezone: 'Asia/Kathmandu' },
        ],
        answer: '-3.25h',
      },
    ],
    async [Symbol.asyncDispose]() {
      web.closeAllConnections()
      web.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function program(name: string, ...args: readonly string[]): ConfiguredServer {
  const main = fileURLToPath(new URL(`../../../../servers/${name}/dist/main.js`, import.meta.url))
  return { name, entry: { command: execPath, args: [main, ...args] } }
}

/** Their processes that this one has started and that still run. */
export function processesLeft(): readonly string[] {
  const table = execFileSync('ps', ['-A', '-o', 'ppid=,args='], { encoding: 'utf8' })
  return table.split('\n').filter((line) => {
    const [parent] = line.trim().split(/\s+/, 1)
    return parent === String(process.pid) && line.includes('/dist/main.js')
  })
}
