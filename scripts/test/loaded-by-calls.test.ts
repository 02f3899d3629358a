import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { root } from '../source-files.mjs'

const serverProgram = `
import { createServer } from '@parley/mcp/server'
import { serveHttp } from '@parley/mcp/node'
const server = createServer({ name: 'echo', version: '1.0.0' })
server.tool('echo', {}, async (_, context) => {
  await context.progress({ progress: 1 })
  return 'hello'
})
const { url } = await serveHttp(server, { port: 0 })
console.log(String(url))`

const clientProgram = `
import { connect } from '@parley/mcp/client'
for (const era of ['modern', 'legacy']) {
  const client = await connect(process.env.SERVER_URL, { era })
  await client.callTool('echo', {})
  await client.callTool('echo', {}, { onProgress: () => undefined })
}`

test('a client that calls tools over HTTP loads what is measured as its size, in either era', async () => {
  const coverage = await mkdtemp(join(tmpdir(), 'parley-loaded-'))
  const server = run(serverProgram, {})
  try {
    const url = await firstLine(server)
    const client = run(`${clientProgram}\nprocess.exit()`, {
      SERVER_URL: url,
      NODE_V8_COVERAGE: coverage,
    })
    expect(await new Promise((resolve) => client.once('exit', resolve))).toBe(0)

    expect(await loadedFrom(coverage)).toEqual([
      'chunks/address', // on Node, for proxies
      'chunks/client',
      'chunks/core',
      'chunks/host-reach', // for proxies, on Node alone
      'chunks/http-client',
      'entry/client',
      'transport/http-client/http-transport',
      'transport/http-client/request/node-request', // what a browser has instead is the size of a few lines
    ])
  } finally {
    server.kill()
    await rm(coverage, { recursive: true })
  }
})

function run(program: string, environment: Record<string, string>) {
  return spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function firstLine({ stdout }: ReturnType<typeof run>): Promise<string> {
  for await (const chunk of stdout) return String(chunk).trim()
  throw new Error('the server said nothing')
}

/** Files of the SDK that a process loaded, as V8 says when it ends. */
async function loadedFrom(directory: string): Promise<string[]> {
  const loaded = new Set<string>()
  for (const file of await readdir(directory)) {
    const { result } = JSON.parse(await readFile(join(directory, file), 'utf8')) as {
      readonly result: readonly { readonly url: string }[]
    }
    for (const { url } of result) {
      const [, path] = /\/packages\/mcp\/dist\/(.*)\.js$/.exec(url) ?? []
      if (path !== undefined) loaded.add(path)
    }
  }
  return [...loaded].toSorted()
}
