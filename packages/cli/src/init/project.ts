import { version } from '../version.ts'

/** A new project, file by file. */
export type Project = readonly (readonly [path: string, text: string])[]

/** What kinds of projects there are. */
export const projectKinds = ['server', 'client'] as const
export type ProjectKind = (typeof projectKinds)[number]

/** Everything a new project needs to build, run and pass its own test. */
export function createProject(kind: ProjectKind, name: string): Project {
  const own = kind === 'server' ? serverFiles(name) : clientFiles(name)
  return [
    ['package.json', packageFile(kind, name)],
    ['tsconfig.json', tsconfig],
    ['.gitignore', 'node_modules/\ndist/\n'],
    ...own,
  ]
}

function packageFile(kind: ProjectKind, name: string): string {
  const main = kind === 'server' ? 'main' : 'client'
  return `${JSON.stringify(
    {
      name,
      version: '0.1.0',
      private: true,
      type: 'module',
      ...(kind === 'server' && { bin: { [name]: 'dist/main.js' } }),
      scripts: {
        build: 'tsc',
        start: `tsc && node dist/${main}.js`,
        test: `tsc && node --test dist/${kind}.test.js`,
        ...(kind === 'server' && {
          dev: 'parley dev src/server.ts',
          check: 'tsc && parley check -- node dist/main.js',
        }),
      },
      dependencies: { '@parley/mcp': `^${version}`, ...(kind === 'server' && { zod: '^4.6.0' }) },
      devDependencies: { '@types/node': '^20.19.0', parley: `^${version}`, typescript: '~7.0' },
      engines: { node: '>=20.19' },
    },
    undefined,
    2,
  )}\n`
}

const tsconfig = `{
  "compilerOptions": {
    "strict": true,
    "module": "NodeNext",
    "target": "ES2022",
    "lib": ["ES2023", "ESNext.Disposable"],
    "types": ["node"],
    "rootDir": "src",
    "outDir": "dist",
    "rewriteRelativeImportExtensions": true,
    "skipLibCheck": true
  },
  "include": ["src"]
}
`

function serverFiles(name: string): Project {
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
    inputSchema: z.object({ sides: z.number().int().min(2).max(1000), count: z.number().int().min(1).max(100).default(1) }),
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
  ({ question }) => \`Roll one die with six sides. On an even number the answer to "\${question}" is yes.\`,
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

function clientFiles(name: string): Project {
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
  if (target === undefined) throw new Error('give the URL of a server')
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

const serverLines = [
  ['npm test', 'builds and tests'],
  ['npm run dev', 'runs it from source beside the inspector, and anew on every change'],
  ['npm start', 'serves standard input and output'],
  ['npm start -- --http 3000', 'serves http://127.0.0.1:3000/mcp'],
  ['npm run check', 'tries it against the requirements of the protocol'],
] as const

const clientLines = [
  ['npm test', 'builds and tests'],
  ['npm start -- URL', 'lists the tools of a server'],
] as const

function readme(name: string, lines: readonly (readonly [string, string])[]): string {
  const rows = lines.map(([command, meaning]) => `| \`${command}\` | ${meaning} |`)
  return `# ${name}\n\n| command | |\n|---|---|\n${rows.join('\n')}\n`
}
