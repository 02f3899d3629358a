import { readme, type Project } from './project-file.ts'

/** A server with an app: a tool, the page that shows its results, and their tests. */
export function appFiles(name: string): Project {
  return [
    ['src/server.ts', server(name)],
    ['src/page.ts', page],
    [
      'src/main.ts',
      `#!/usr/bin/env node
import { serve } from '@parley/mcp/node'

import { server } from './server.ts'

await serve(server) // standard input and output, or --http
`,
    ],
    ['src/app.test.ts', test],
    ['README.md', readme(name, lines)],
  ]
}

function server(name: string): string {
  return `import { appTool, defineApp, serverApps } from '@parley/mcp/apps'
import { createServer, defineTool } from '@parley/mcp/server'
import { z } from 'zod'

import { page } from './page.ts'

const votes = z.object({ question: z.string(), yes: z.number(), no: z.number() })
const counted = new Map<string, { yes: number; no: number }>()

const showPoll = defineTool(
  'show-poll',
  {
    description: 'Shows a poll that the user can vote in',
    inputSchema: z.object({ question: z.string() }),
    outputSchema: votes,
  },
  ({ question }) => ({ question, ...(counted.get(question) ?? { yes: 0, no: 0 }) }),
)

const vote = defineTool(
  'vote',
  {
    description: 'Counts a vote',
    inputSchema: z.object({ question: z.string(), answer: z.enum(['yes', 'no']) }),
    outputSchema: votes,
  },
  ({ question, answer }) => {
    const before = counted.get(question) ?? { yes: 0, no: 0 }
    const after = { ...before, [answer]: before[answer] + 1 }
    counted.set(question, after)
    return { question, ...after }
  },
)

/** What hosts without apps show, and models read. */
function inWords({ question, yes, no }: z.infer<typeof votes>): string {
  return \`\${question} Yes: \${yes}, no: \${no}.\`
}

const poll = defineApp({
  uri: ${JSON.stringify(`ui://${name}/poll`)},
  title: 'Poll',
  html: page,
  prefersBorder: true,
  // What the page may reach; nothing outside without it.
  // csp: { connectDomains: ['https://api.example.com'], resourceDomains: ['https://cdn.example.com'] },
  tools: [
    appTool(showPoll, { text: inWords }),
    appTool(vote, { text: inWords, visibility: ['app'] }), // called by the page, not by models
  ],
})

export const server = createServer({
  name: ${JSON.stringify(name)},
  version: '0.1.0',
  extensions: [serverApps(poll)],
})
`
}

const page = `import { appScript } from '@parley/mcp/apps'

/** The whole page: a host shows it in a frame that loads nothing from elsewhere. */
export const page = \`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Poll</title>
<style>
  body { margin: 0; padding: 1rem; font: 1rem var(--font-sans, system-ui); color: var(--color-text-primary, CanvasText) }
  button { font: inherit; margin-right: 0.5rem }
</style>
<h1></h1>
<button type="button" value="yes">Yes</button>
<button type="button" value="no">No</button>
<p role="status"></p>
<script>\${appScript}</script>
<script>
  let question = ''
  const show = ({ structuredContent }) => {
    question = structuredContent.question
    document.querySelector('h1').textContent = question
    document.querySelector('p').textContent = 'Yes: ' + structuredContent.yes + ', no: ' + structuredContent.no
  }
  connectApp({ name: 'poll', version: '0.1.0', onToolResult: show }).then((app) => {
    for (const button of document.querySelectorAll('button')) {
      button.addEventListener('click', () =>
        app.callTool('vote', { question, answer: button.value }).then(show, (error) => {
          document.querySelector('p').textContent = error.message
        }),
      )
    }
  })
</script>
</html>
\`
`

const test = `import assert from 'node:assert/strict'
import { test } from 'node:test'

import { appLinkOf, clientApps, readApp } from '@parley/mcp/apps'
import { connect } from '@parley/mcp/client'

import { server } from './server.ts'

test('a host that shows apps finds the page, and the page can vote', async () => {
  await using client = await connect(server, { extensions: [clientApps()] })

  const tools = await client.listTools().toArray()
  const uri = tools.map(appLinkOf)[0]?.resourceUri ?? ''
  const { html } = await readApp(client, uri)
  const { structuredContent } = await client.callTool('vote', { question: 'Tea?', answer: 'yes' })

  assert.match(html, /connectApp/)
  assert.deepEqual(structuredContent, { question: 'Tea?', yes: 1, no: 0 })
})

test('a host that shows none gets words, and no tool of the page', async () => {
  await using client = await connect(server)

  const tools = await client.listTools().toArray()
  const { content } = await client.callTool('show-poll', { question: 'Coffee?' })

  assert.deepEqual(tools.map(({ name }) => name), ['show-poll'])
  assert.deepEqual(content, [{ type: 'text', text: 'Coffee? Yes: 0, no: 0.' }])
})
`

const lines = [
  ['npm test', 'builds and tests'],
  ['npm run dev', 'runs it from source with the inspector, which shows the page'],
  ['npm start', 'serves standard input and output'],
  ['npm start -- --http 3000', 'serves http://127.0.0.1:3000/mcp'],
  ['npm run check', 'tries it against the requirements of the protocol'],
] as const
