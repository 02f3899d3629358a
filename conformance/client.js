#!/usr/bin/env node
/**
 * The client of the public conformance suite: `client.js URL`, and in the suite's environment variables what to do there.
 */

import process, { argv, env } from 'node:process'

import { playScenario } from './fixture/client.js'

const [url] = argv.slice(2)
if (url === undefined) {
  console.error('Usage: MCP_CONFORMANCE_SCENARIO=name client.js URL')
  process.exitCode = 2
} else {
  await playScenario(url, {
    scenario: env['MCP_CONFORMANCE_SCENARIO'] ?? 'initialize',
    revision: env['MCP_CONFORMANCE_PROTOCOL_VERSION'],
    context: JSON.parse(env['MCP_CONFORMANCE_CONTEXT'] ?? '{}'),
  })
}
