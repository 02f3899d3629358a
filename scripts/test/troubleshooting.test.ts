import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { root } from '../source-files.mjs'

/** Messages of Node, of schema libraries and of other programs, and symptoms without a message. */
const others = [
  'Cannot use import statement outside a module',
  "Cannot find module '@parley/mcp/server'",
  'Must use import to load ES Module',
  "Property 'asyncDispose' does not exist on type 'SymbolConstructor'",
  'Unexpected token … is not valid JSON',
  'spawn npx ENOENT on Windows',
  'The tool is missing in the host',
  'Signing in never ends, or ends with invalid_redirect_uri',
  'MCP error -32001: Request timed out',
  'expected number, received string',
  'Events arrive late, or all at once',
  'Streams end after 60 seconds',
  'Sessions are lost behind a load balancer',
  'Calls run twice',
]

/** What the code puts into a message, and a heading shows as an example. */
const examples =
  /ECONNREFUSED|EADDRINUSE|text\/html|404$|elicitation|allowed(?:Hosts|Origins)|tool(?=:)|requests(?= at)|limits\.inFlight|answer came/

function sourcesOf(folder: string): string {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))
    .join('\n')
}

test('every message of the page about troubleshooting is one that we write', () => {
  const page = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8')
  const headings = [...page.matchAll(/^### (.*)$/gm)].map(([, heading = '']) => heading)
  const sources = sourcesOf('packages/mcp/src')

  const unknown = headings
    .filter((heading) => !others.includes(heading))
    .filter((heading) => {
      const parts = heading
        .split(/… ?| and (?=auth)/)
        .flatMap((part) => part.split(examples))
        .map((part) => part.replaceAll(/^[\s,:]+|[\s,:]+$/g, ''))
      return parts.some((part) => part.length > 2 && !sources.includes(part))
    })

  expect(unknown).toEqual([])
  expect(headings).toEqual(expect.arrayContaining(others))
})
