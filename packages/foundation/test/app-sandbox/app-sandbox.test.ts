import { request as sendRequest, type IncomingHttpHeaders } from 'node:http'

import { startAppSandbox } from '@parley/foundation/app-sandbox'
import { startListener } from '@parley/foundation/listener'
import { expect, test } from 'vitest'

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** By hand, since `fetch` sets the host itself. */
function get(port: number, path: string, headers: object = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { port, path, method, host: '127.0.0.1', headers: { ...headers } }
    const request = sendRequest(options, (response) => {
      let body = ''
      response.on('data', (part: Buffer) => (body += part.toString()))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
      })
    })
    request.on('error', reject).end()
  })
}

function policyOf({ headers }: Answer): string {
  return String(headers['content-security-policy'])
}

test('the sandbox is one document, closed, for one page', async () => {
  await using sandbox = await startAppSandbox({ pagePort: () => 6274 })

  const answer = await get(sandbox.port, '/')

  expect(answer.status).toBe(200)
  expect(policyOf(answer)).toContain("default-src 'none'")
  expect(policyOf(answer)).toContain("connect-src 'none'")
  expect(policyOf(answer)).toContain("form-action 'none'")
  expect(policyOf(answer)).toContain("webrtc 'block'")
  expect(policyOf(answer)).toContain('frame-ancestors http://127.0.0.1:6274')
  expect(answer.headers['origin-agent-cluster']).toBe('?1')
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(answer.body).toContain('data-host="http://127.0.0.1:6274"')
})

test('what a page may reach is in its address, and checked again', async () => {
  await using sandbox = await startAppSandbox({ pagePort: () => 6274 })
  const declared = {
    connectDomains: [
      'https://api.example.com',
      '*',
      'http://127.0.0.1:6274',
      'ws://localhost:6274',
      `http://127.0.0.1:${sandbox.port}`,
      "https://x.com; script-src 'unsafe-eval'",
    ],
  }

  const answer = await get(sandbox.port, `/?csp=${encodeURIComponent(JSON.stringify(declared))}`)

  expect(policyOf(answer)).toContain('connect-src https://api.example.com; ')
  expect(policyOf(answer)).not.toContain('unsafe-eval')
})

test.each([
  ['another path', '/etc/passwd', {}, 'GET', 404],
  ['a path with dots', '/..', {}, 'GET', 200],
  ['another host name', '/', { host: 'evil.example.com' }, 'GET', 403],
  ['another host name with our port', '/', { host: 'evil.example.com:80' }, 'GET', 403],
  ['a policy that is not JSON', '/?csp=%7B', {}, 'GET', 400],
  ['another method', '/', {}, 'POST', 405],
])('%s', async (_, path, headers, method, status) => {
  await using sandbox = await startAppSandbox({ pagePort: () => 6274 })

  const answer = await get(sandbox.port, path, headers, method)

  expect(answer.status).toBe(status)
})

test('others reach it only if that was meant', async () => {
  await expect(startAppSandbox({ host: '0.0.0.0', pagePort: () => 1 })).rejects.toThrow(
    '--allow-remote',
  )
})

test('a page shows frames of its sandbox and of nobody else; one without shows none', async () => {
  await using framed = await startListener({ app: { name: 'with', framePort: 4711 } })
  await using without = await startListener({ app: { name: 'without' } })

  const framing = await get(framed.port, '/')
  const closed = await get(without.port, '/')
  const byName = await get(framed.port, '/', { host: `localhost:${framed.port}` })
  const foreign = await get(framed.port, '/', { host: 'evil.example.com' })

  expect(policyOf(framing)).toContain('frame-src http://127.0.0.1:4711;')
  expect(policyOf(byName)).toContain('frame-src http://localhost:4711;')
  expect(policyOf(framing)).toContain("frame-ancestors 'none'")
  expect(policyOf(closed)).toContain("frame-src 'none'")
  expect(policyOf(foreign)).toContain("frame-src 'none'")
})
