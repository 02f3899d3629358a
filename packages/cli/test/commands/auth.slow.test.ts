import { afterAll, beforeAll, expect, test } from 'vitest'

import { visitAs } from '../../../../test-support/person.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { createServerList } from '../../src/sign-in/known-servers.ts'
import { openTokenStore } from '../../src/sign-in/token-store.ts'
import { until, withChat } from '../chat-page.ts'
import { startEverything, type HttpServer } from '../http-server.ts'
import { run } from '../run.ts'

let http: HttpServer
beforeAll(async () => {
  http = await startEverything('streamableHttp', '--auth')
})
afterAll(() => http[Symbol.asyncDispose]())

test('a server that wants a sign-in ends with 3, and says how', async () => {
  const env = { PARLEY_STATE: folderWith({}) }

  const { code, stderr } = await run(['list', http.url, '--json'], { env })
  const status = await run(['auth', 'status', http.url], { env })

  expect(code).toBe(3)
  expect(JSON.parse(stderr)).toMatchObject({
    error: { code: 'auth_required', hint: expect.stringContaining('parley login') as unknown },
  })
  expect(status).toMatchObject({ code: 3 })
})

/** What somebody would have who copied it before. */
async function tokenOf(env: { readonly [name: string]: string }): Promise<string> {
  const [server] = await createServerList({ env }).list()
  const [key] = server?.keys ?? []
  const stored = key && (await (await openTokenStore({ env })).get(key))
  const { accessToken } = JSON.parse(stored?.value ?? '{}') as { accessToken?: string } // as the auth package writes it
  return accessToken ?? ''
}

test('login, use, status, logout', async () => {
  const env = { PARLEY_STATE: folderWith({}), MCP_SECRET_KEY: 'words' }
  const [, user = '', password = ''] =
    /sign in as (\S+) with the password (\S+)/.exec(http.printed) ?? []

  const login = await run(['auth', 'login', http.url, '--no-open'], {
    env,
    onStderr: (text) => {
      const [, page] = /(https?:\/\/\S+)/.exec(text) ?? []
      if (page !== undefined) void visitAs(user, password, new URL(page))
    },
  })
  const used = await run(['call', http.url, 'echo', 'message=hi'], { env })
  const status = await run(['auth', 'status', '--json'], { env })
  const copy = await tokenOf(env)
  const logout = await run(['auth', 'logout', http.url], { env })
  const again = await run(['auth', 'logout', http.url, '--json'], { env })
  const after = await run(['call', http.url, 'echo', 'message=hi'], { env })
  const header = `Authorization: Bearer ${copy}`
  const byCopy = await run(['call', http.url, 'echo', 'message=hi', '-H', header], { env })

  expect(login).toMatchObject({ code: 0 })
  expect(login.stdout).toContain(`Signed in to ${http.url}.`)
  expect(used).toMatchObject({ code: 0, stdout: 'Echo: hi\n' })
  expect(JSON.parse(status.stdout)).toMatchObject({
    servers: [{ url: http.url, grants: [{ canRefresh: expect.any(Boolean) as unknown }] }],
  })
  expect(status.stdout).not.toMatch(/accessToken|refreshToken/)
  expect(logout.stdout).toBe(`Signed out of ${http.url}.\n`)
  expect(logout.stderr).toMatch(/^http:\S+ revoked the tokens\.\n$/)
  expect(JSON.parse(again.stdout)).toEqual({ url: http.url, wasSignedIn: false, revocations: [] })
  expect(after).toMatchObject({ code: 3 })
  expect(copy).not.toBe('')
  expect(byCopy).toMatchObject({ code: 3 })
})

test('debug shows each step up to the page, with secrets masked', async () => {
  const env = { PARLEY_STATE: folderWith({}) }

  const shown = await run(['auth', 'debug', http.url], { env })
  const { code, stdout } = await run(['auth', 'debug', http.url, '--json'], { env })

  expect(shown.stdout).toContain('← 401')
  expect(shown.stdout).toMatch(/www-authenticate: Bearer .*resource_metadata="http/)
  expect(shown.stdout).toMatch(/"token_endpoint_auth_methods_supported": \[\s+"[a-z]/)
  expect(shown.stdout).toContain('"code_challenge_methods_supported"')
  expect(shown.stdout).toContain('oauth-protected-resource')
  expect(shown.stdout).toMatch(/→ the browser is sent to http:/)
  expect(code).toBe(0)
  const steps = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { step: string })
  expect(steps.at(-1)).toMatchObject({ step: 'page', parameters: { response_type: 'code' } })
})

test('a server that lets everybody in is said to', async () => {
  await using open = await startEverything('streamableHttp')

  const { code, stdout } = await run(['auth', 'login', open.url], {
    env: { PARLEY_STATE: folderWith({}) },
  })

  expect({ code, stdout }).toEqual({ code: 0, stdout: `${open.url} does not require sign-in.\n` })
})

test('parley chat signs in to a server in the page, calls it, is still signed in at the next start, and signs out [AUI-01] [AUI-02] [AUI-04] [AUI-08]', async () => {
  const [, user = '', password = ''] =
    /sign in as (\S+) with the password (\S+)/.exec(http.printed) ?? []
  const env = { PARLEY_STATE: folderWith({}), MCP_SECRET_KEY: 'words' }
  const cwd = folderWith({
    'mcp.json': { mcpServers: { remote: { url: http.url } } },
    'rules.json': { rules: [{ server: 'remote', tool: 'echo', decision: 'allow' }] },
  })
  const flags = ['--config', 'mcp.json', '--rules', 'rules.json', '--model', 'scripted']
  const options = { cwd, env }

  await withChat(flags, options, async (page) => {
    await until(page, (state) => state.includes('"state":"sign-in"'))
    const shown = await page.ask('servers/sign-in', { name: 'remote' })
    expect(shown).toMatchObject({ host: new URL(http.url).host, warnings: [] })
    const signIn = new URL(String(shown['url']))
    expect(signIn.searchParams.get('resource')).toBe(http.url)
    await visitAs(user, password, signIn)
    await until(page, (state) => state.includes('"state":"ready"'))
    const token = await tokenOf(env)

    const { id } = await page.ask('conversations/create', {})
    const input = 'call remote__echo {"message": "signed in"}'
    await page.ask('turns/say', { conversation: id, input })
    await until(page, (state) => state.includes('"turns":1'))
    const said = JSON.stringify(await page.ask('conversations/open', { id }))
    expect(said).toContain('Echo: signed in')
    const trace = JSON.stringify(await page.ask('trace/page', { after: 0, limit: 5_000 }))
    expect(token).not.toBe('')
    expect(said + trace).not.toContain(token)
  })
  await withChat(flags, options, async (page) => {
    await until(page, (state) => state.includes('"state":"ready"'))
    const copy = await tokenOf(env)
    const accounts = JSON.stringify(await page.ask('accounts/list', {}))
    expect(JSON.parse(accounts)).toMatchObject([
      { server: 'remote', grants: [{ issuer: expect.any(String) }] },
    ])
    expect(accounts).not.toContain(copy)

    // No remark: the issuer has revoked the tokens.
    expect(await page.ask('servers/sign-out', { name: 'remote' })).toEqual({ remarks: [] })

    await until(page, (state) => state.includes('"state":"sign-in"'))
    expect(await page.ask('accounts/list', {})).toEqual([])
    expect(await tokenOf(env)).toBe('')
  })
})
