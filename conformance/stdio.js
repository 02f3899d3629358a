#!/usr/bin/env node
/** The same server for the process that started this one. */

import { serveStdio } from '@parley/mcp/stdio'

import { createFixtureServer } from './fixture/server.js'

serveStdio(createFixtureServer())
