#!/usr/bin/env node
/** The server of the public conformance suite, at `/mcp` on loopback; `PORT` chooses the port. */

import { env } from 'node:process'

import { revisions } from '@parley/mcp'
import { serveHttp } from '@parley/mcp/node'

import { createFixtureServer } from './fixture/server.js'

const { url } = await serveHttp(createFixtureServer(), {
  port: Number(env['PORT'] ?? 3000),
  revisions,
})
console.log(url.href)
