import express, { type Express } from 'express'

import { hostHeaderValidation, localhostHostValidation } from './middleware/hostHeaderValidation.ts'

export interface CreateMcpExpressAppOptions {
  /**
   * Where the program will listen. On this machine's own names, other Host headers are refused.
   * @defaultValue '127.0.0.1'
   */
  host?: string
  /** The Host headers to accept, without ports. */
  allowedHosts?: string[]
}

/** Returns an Express app that parses JSON, and checks the Host header where it can know it. */
export function createMcpExpressApp(options: CreateMcpExpressAppOptions = {}): Express {
  const { host = '127.0.0.1', allowedHosts } = options
  const app = express()
  if (allowedHosts) app.use(hostHeaderValidation(allowedHosts))
  else if (['127.0.0.1', 'localhost', '::1'].includes(host)) app.use(localhostHostValidation())
  else if (host === '0.0.0.0' || host === '::') {
    console.warn(
      `Warning: Server is binding to ${host} without DNS rebinding protection. Consider using the allowedHosts option to restrict allowed hosts, or use authentication to protect your server.`,
    )
  }
  // After the check of the host: the body of a request that is refused is not read.
  app.use(express.json())
  return app
}
