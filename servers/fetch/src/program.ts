import {
  readCount,
  readPositive,
  UsageError,
  type ProgramOptions,
} from '@parley/server-kit/program'

import { createFetchServer } from './fetch.ts'

const options = {
  'user-agent': { type: 'string', value: 'TEXT', about: 'the User-Agent header to send' },
  'ignore-robots-txt': {
    type: 'boolean',
    about: 'also pages that robots.txt keeps programs from',
  },
  'proxy-url': { type: 'string', value: 'URL', about: 'ask by way of this proxy' },
  'allow-private-ips': { type: 'boolean', about: 'also addresses that are not public' },
  'allow-private-host': {
    type: 'string',
    multiple: true,
    value: 'HOST',
    about: 'also allow this host and its subdomains at an address that is not public',
  },
  'allow-host': {
    type: 'string',
    multiple: true,
    value: 'HOST',
    about: 'allow only this host and its subdomains',
  },
  'deny-host': {
    type: 'string',
    multiple: true,
    value: 'HOST',
    about: 'deny this host and its subdomains',
  },
  'max-bytes': { type: 'string', value: 'N', about: 'of a page (default 10485760)' },
  timeout: { type: 'string', value: 'SECONDS', about: 'for a page (default 30)' },
} as const

/** The fetch server as a program. */
export const fetchProgram: ProgramOptions<typeof options> = {
  name: 'fetch',
  version: '0.1.0',
  summary: 'Web pages as text a model can read, without reaching inside your network.',
  options,
  create({ values }) {
    const seconds = readPositive('timeout', values.timeout)
    try {
      return createFetchServer({
        userAgent: values['user-agent'],
        ignoreRobots: values['ignore-robots-txt'],
        guard: {
          allowPrivate: values['allow-private-ips'] ?? values['allow-private-host'],
          allowHosts: values['allow-host'],
          denyHosts: values['deny-host'],
          proxyUrl: values['proxy-url'],
          maxBytes: readCount('max-bytes', values['max-bytes']),
          timeoutMs: seconds && seconds * 1_000,
        },
      })
    } catch (error) {
      throw error instanceof TypeError ? new UsageError(error.message) : error
    }
  },
}
