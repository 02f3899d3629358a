import { readme, type Project } from './project-file.ts'

/** A server with a tool, a prompt and their tests. */
export function serverFiles(name: string): Project {
  return [
    [
      'src/server.ts',
      `import { createServer } from '@parley/mcp/server'
import { z } from 'zod'

export const server = createServer({ name: ${JSON.stringify(name)}, version: '0.1.0' })

server.tool(
  'roll',
  {
    description: 'Rolls dice',
    inputSchema: z.object({
      sides: z.number().int().min(2).max(1000),
      count: z.number().int().min(1).max(100).default(1),
    }),
    outputSchema: z.object({ rolled: z.array(z.number()), sum: z.number() }),
  },
  ({ sides, count }) => {
    const rolled = Array.from({ length: count }, () => 1 + Math.floor(Math.random() * sides))
    return { rolled, sum: rolled.reduce((sum, one) => sum + one, 0) }
  },
)

server.prompt(
  'decide',
  { description: 'Lets dice decide', argumentsSchema: z.object({ question: z.string() }) },
  ({ question }) => \`Roll one die. If it is even, the answer to "\${question}" is yes.\`,
)
`,
    ],
    [
      'src/main.ts',
      `#!/usr/bin/env node
import { serve } from '@parley/mcp/node'

import { server } from './server.ts'

await serve(server) // standard input and output, or --http
`,
    ],
    [
      'src/server.test.ts',
      `import assert from 'node:assert/strict'
import { test } from 'node:test'

import { connect } from '@parley/mcp/client'

import { server } from './server.ts'

test('dice are rolled as often as asked', async () => {
  await using client = await connect(server)

  const { structuredContent } = await client.callTool('roll', { sides: 6, count: 3 })

  assert.equal((structuredContent as { rolled: number[] }).rolled.length, 3)
})

test('dice with one side are refused', async () => {
  await using client = await connect(server)

  const { isError } = await client.callTool('roll', { sides: 1 })

  assert.equal(isError, true)
})
`,
    ],
    ['README.md', readme(name, serverLines)],
  ]
}

const serverLines = [
  ['npm test', 'builds and tests'],
  ['npm run dev', 'runs it from source with the inspector, and restarts it on changes'],
  ['npm start', 'serves standard input and output'],
  ['npm start -- --http 3000', 'serves http://127.0.0.1:3000/mcp'],
  ['npm run check', 'tries it against the requirements of the protocol'],
] as const
