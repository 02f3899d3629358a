import { readme, type Project } from './project-file.ts'

/** A program that uses servers, with its test. */
export function clientFiles(name: string): Project {
  return [
    [
      'src/client.ts',
      `import { pathToFileURL } from 'node:url'

import { connect, type Client } from '@parley/mcp/client'

/** The names of everything a server offers to do. */
export async function toolNames(client: Client): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of client.listTools()) names.push(name)
  return names
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [target] = process.argv.slice(2)
  if (target === undefined) throw new Error('pass the URL of a server')
  await using client = await connect(target)
  console.log(\`\${client.server.info?.name}: \${(await toolNames(client)).join(', ')}\`)
}
`,
    ],
    [
      'src/client.test.ts',
      `import assert from 'node:assert/strict'
import { test } from 'node:test'

import { connect } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'

import { toolNames } from './client.ts'

test('tools are listed by name', async () => {
  const server = createServer({ name: 'test', version: '1' })
  server.tool('one', {}, () => 'one')
  server.tool('two', {}, () => 'two')
  await using client = await connect(server)

  assert.deepEqual(await toolNames(client), ['one', 'two'])
})
`,
    ],
    ['README.md', readme(name, clientLines)],
  ]
}

const clientLines = [
  ['npm test', 'builds and tests'],
  ['npm start -- URL', 'lists the tools of a server'],
] as const
