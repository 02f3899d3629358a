/**
 * `node packages/code/bench/tokens.mjs [TASKS]`: the tokens that a model reads for the same tasks in three ways: with all tools defined, with
 * tools found by searching, and with programs. Needs no model: a script makes the calls that a model would make without a mistake, through
 * the real host and 16 servers with 500 tools. Prints the figures and whether each answer was right.
 */

import { argv } from 'node:process'

import { createHost } from '@parley/host'
import { createScriptedModel } from '@parley/host/models'
import { jsonSchema } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { getEncoding } from 'js-tiktoken'

import { entities, servers, tasks } from './task-set.mjs'

const encoding = getEncoding('o200k_base')
/** @type {Map<string, number>} */
const counted = new Map()

/** @param {string} text */
function tokensOf(text) {
  const known = counted.get(text)
  if (known !== undefined) return known
  const count = encoding.encode(text, [], []).length
  counted.set(text, count)
  return count
}

/** @param {import('./task-set.mjs').Server} of */
function open({ name, tools }) {
  const server = createServer({ name, version: '1.0.0' })
  for (const { name: tool, description, inputSchema, outputSchema, handle } of tools) {
    const schemas = { inputSchema: jsonSchema(inputSchema), outputSchema: jsonSchema(outputSchema) }
    server.tool(tool, { description, ...schemas }, handle)
  }
  return server
}

const opened = servers.map((of) => ({ name: of.name, server: open(of) }))

/**
 * @param {'all' | 'search' | 'code'} way
 * @param {import('./task-set.mjs').Task} task
 */
async function play(way, task) {
  const script = task.script(way)
  const model = createScriptedModel(script, { announcement: '', contextTokens: 1_000_000 })
  const host = createHost({
    model,
    servers: opened.map(({ name, server }) => ({
      name,
      target: { open: (/** @type {any} */ options) => connect(server, options), hash: name },
    })),
    consent: {
      decide: async (calls) => calls.map(() => ({ decision: 'allow', rule: 'measured' })),
    },
    limits: { callsPerMinute: 1e6, callsPerTurn: 1e4, requestsPerTurn: 100 },
    timeouts: { startMs: 60_000 },
    context: { mode: way },
  })
  let answer = ''
  for await (const event of host.turn(task.question)) if (event.type === 'end') answer = event.text
  await host.close()
  let tokens = 0
  for (const { messages, tools } of model.requests) {
    for (const tool of tools) tokens += tokensOf(JSON.stringify(tool))
    for (const message of messages) tokens += tokensOf(JSON.stringify(message))
  }
  return { tokens, requests: model.requests.length, isRight: answer === task.answer }
}

const chosen = tasks.slice(0, Number(argv[2] ?? tasks.length))
console.log(
  `${servers.length} servers, ${servers.reduce((sum, { tools }) => sum + tools.length, 0)} tools, ${entities.length} kinds of things, ${chosen.length} tasks`,
)
for (const way of /** @type {const} */ (['all', 'search', 'code'])) {
  let tokens = 0
  let requests = 0
  let right = 0
  for (const task of chosen) {
    const played = await play(way, task)
    tokens += played.tokens
    requests += played.requests
    right += played.isRight ? 1 : 0
  }
  console.log(
    `${way.padEnd(6)} ${String(tokens).padStart(9)} input tokens, ${requests} requests, ${right} of ${chosen.length} right`,
  )
}
