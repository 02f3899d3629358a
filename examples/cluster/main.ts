import { env } from 'node:process'

import { startServer } from './server.ts'

const { url } = await startServer(env)
console.error(`clock listens on ${url.href}`)
