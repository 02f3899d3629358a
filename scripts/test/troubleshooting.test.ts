import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { readEntry } from '../../site/reference/declarations.mjs'
import { readEntries } from '../../site/reference/entries.mjs'
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

/** Headings above tables of messages. */
const groups = [
  'Definitions and targets',
  'Connections that end',
  'Calls that are refused',
  'Limits that were reached',
  'Answers that cannot be used',
  'Messages of a proxy or gateway',
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
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
  const headings = [...page.matchAll(/^#### (.*)$/gm)].map(([, heading = '']) => heading)
  const sources = sourcesOf('packages/mcp/src')

  const unknown = headings
    .filter((heading) => ![...others, ...groups].includes(heading))
    .filter((heading) => {
      const parts = heading
        .split(/… ?| and (?=auth)/)
        .flatMap((part) => part.split(examples))
        .map((part) => part.replaceAll(/^[\s,:]+|[\s,:]+$/g, ''))
      return parts.some((part) => part.length > 2 && !sources.includes(part))
    })

  expect(unknown).toEqual([])
  expect(headings).toEqual(expect.arrayContaining([...others, ...groups]))
})

test('every error that the SDK makes is on the page about troubleshooting', () => {
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
  const messages = [...sourcesOf('packages/mcp/src').matchAll(made)].map(([, , message = '']) =>
    message.replaceAll(/\s+/g, ' '),
  )

  const missing = messages.filter(
    (message) => !fixedParts(message).every((part) => page.includes(part)),
  )

  expect(messages.length).toBeGreaterThan(120)
  expect(missing).toEqual([])
})

test('the page about errors names every class of errors that packages export', () => {
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
  const classes = readEntries(root).flatMap(({ file }) =>
    readEntry(file).filter(({ kind, text }) => kind === 'class' && /extends \w*Error\b/.test(text)),
  )

  expect(classes.length).toBeGreaterThan(10)
  expect(classes.map(({ name }) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual(
    [],
  )
})

/** An error with its code and, in quotes of any kind, its message. */
const made = /new (?:McpError|RpcError)\(\s*'\w+',\s*([`'"])((?:\\.|(?!\1)[^\\])*)\1/g

/** What a message always says; shorter parts would be found anywhere. */
function fixedParts(message: string): readonly string[] {
  return message
    .split(/\$\{(?:[^{}]|\{[^{}]*\})*(?:\}|$)/)
    .map((part) => part.replaceAll(/^[\s,:;]+|[\s,:;]+$/g, ''))
    .filter((part) => part.length >= 12)
}
