/** The inspector by itself, for work on the page: `node packages/inspector/dist/dev.js [-- command args…| url]`. */

import process from 'node:process'
import { parseArgs } from 'node:util'

import { startInspector } from './start-inspector.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string' }, state: { type: 'string' } },
})
const [first, ...args] = positionals
const isUrl = first !== undefined && /^(?:https?|wss?):/.test(first)
const entry = first === undefined ? undefined : isUrl ? { url: first } : { command: first, args }

const inspector = await startInspector({
  noOpen: true,
  port: values.port === undefined ? undefined : Number(values.port),
  stateDirectory: values.state,
  servers: entry === undefined ? [] : [{ name: 'server', entry, connect: true }],
})
console.log(inspector.url)
process.once('SIGINT', () => void inspector.close())
process.once('SIGTERM', () => void inspector.close())
