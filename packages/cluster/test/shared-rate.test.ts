import { type ClusterBudgets, createMemoryClusterStore } from '@parley/cluster'
import { connect } from '@parley/mcp/client'
import type { HttpGuard } from '@parley/mcp/http'
import { serveHttp, type HttpService } from '@parley/mcp/node'
import { createServer, rateLimit } from '@parley/mcp/server'
import { expect, onTestFinished, test } from 'vitest'

/** Whoever says so is that user. */
const guard: HttpGuard = {
  authenticate({ header }) {
    const subject = header('authorization') ?? ''
    const rest = { scopes: new Set<string>(), audience: [], expiresAt: Infinity, claims: {} }
    return { kind: 'allow', auth: { issuer: 'test', subject, clientId: 'test', ...rest } }
  },
}

async function serveLimited(budgets: ClusterBudgets): Promise<HttpService> {
  const server = createServer({ name: 'limited', version: '1.0.0' })
  const shared = { name: 'calls', budgets }
  server.use('tools/call', rateLimit({ burst: 4, perSecond: 1, shared }))
  server.tool('work', {}, () => 'done')
  const service = await serveHttp(server, { port: 0, ownsProcess: false, auth: guard })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  return service
}

test.each(['legacy', 'modern'] as const)(
  'a %s caller has one rate at all processes, and others have their own',
  async (protocolVersion) => {
    const { budgets } = createMemoryClusterStore(() => 0) // nothing is refilled
    const services = [await serveLimited(budgets), await serveLimited(budgets)]
    const passed = { ada: 0, bob: 0 }

    for (const user of ['ada', 'bob'] as const) {
      for (const { url } of services) {
        await using client = await connect(url, {
          protocolVersion,
          headers: { authorization: user },
        })
        for (let call = 0; call < 5; call += 1) {
          const answer = await client.callTool('work').catch(() => undefined)
          if (answer) passed[user] += 1
        }
      }
    }

    expect(passed).toEqual({ ada: 4, bob: 4 })
  },
)
