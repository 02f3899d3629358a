import { safeJson } from '../terminal/safe-text.ts'
import { exchangesOf, type Exchange } from './exchanges.ts'
import type { TraceRecord } from './record.ts'

/** How a generated test reaches its server. */
export interface TestTarget {
  /** Source text of what `connect` takes, such as `'http://127.0.0.1:3001/mcp'`. @defaultValue `process.env['MCP_URL']` */
  readonly target?: string | undefined
}

/** A vitest file that makes the same requests and expects the same answers. */
export function toTestSource(records: readonly TraceRecord[], options: TestTarget = {}): string {
  const { target = "process.env['MCP_URL'] ?? 'http://127.0.0.1:3001/mcp'" } = options
  const cases = exchangesOf(records).filter(isOurs)
  return [
    "import { connect } from '@parley/mcp/client'",
    "import { afterAll, beforeAll, expect, test } from 'vitest'",
    '',
    `const target = ${target}`,
    '',
    'let client: Awaited<ReturnType<typeof connect>>',
    'beforeAll(async () => {',
    '  client = await connect(target)',
    '})',
    'afterAll(() => client.close())',
    ...cases.flatMap(testOf),
    '',
  ].join('\n')
}

/** The methods that a client sends by itself, which are not repeated by hand. */
const ownMethods = new Set(['initialize', 'server/discover', 'ping', 'subscriptions/listen'])

function isOurs({ request, method, answer }: Exchange): boolean {
  return request.direction === 'out' && !ownMethods.has(method) && answer !== undefined
}

function testOf(exchange: Exchange): readonly string[] {
  const { method, name, params, result, error, request } = exchange
  const { _meta: _, ...own } = params
  const title = `${request.seq}: ${method}${name === undefined ? '' : ` ${name}`} ${error ? 'fails as recorded' : 'answers as recorded'}`
  const call = `client.request(${source(method)}, ${source(own)})`
  if (error !== undefined) {
    const message = typeof error['message'] === 'string' ? error['message'] : ''
    return [
      '',
      `test(${source(title)}, async () => {`,
      `  await expect(${call}).rejects.toThrow(${source(message)})`,
      '})',
    ]
  }
  const { _meta, ...expected } = result ?? {}
  return [
    '',
    `test(${source(title)}, async () => {`,
    `  const result = await ${call}`,
    '',
    `  expect(result).toMatchObject(${source(expected)})`,
    '})',
  ]
}

/** JSON is source text but for what could close a script around it, or do something to who reads it. */
function source(value: unknown): string {
  return safeJson(value).replaceAll('</', '<\\/')
}
