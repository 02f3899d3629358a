import { installLinks } from '@parley/foundation/install-links'
import { expect, test } from 'vitest'

const inputs = [{ id: 'weather-API_KEY', type: 'promptString', password: true }]
const entry = {
  kind: 'command',
  command: 'npx',
  args: ['-y', '@ada/weather@1.1.0', '--place', 'Oslo $HOME (Norway)'],
  env: { API_KEY: '${input:weather-API_KEY}' },
} as const
const links = installLinks({
  name: 'weather',
  server: 'io.github.ada/weather@1.1.0',
  entry,
  inputs,
})
const textOf = (client: string) => links.find((link) => link.client === client)?.text ?? ''

test('a link for VS Code has the entry and its questions, and no secret', () => {
  const [scheme, query = ''] = textOf('vscode').split('?')

  expect(scheme).toBe('vscode:mcp/install')
  expect(JSON.parse(decodeURIComponent(query))).toEqual({
    name: 'weather',
    inputs,
    type: 'stdio',
    command: 'npx',
    args: entry.args,
    env: entry.env,
  })
})

test('a link for Cursor takes what is open from the environment', () => {
  const url = new URL(textOf('cursor'))

  expect(`${url.protocol}//${url.host}${url.pathname}`).toBe(
    'cursor://anysphere.cursor-deeplink/mcp/install',
  )
  const config = JSON.parse(
    Buffer.from(url.searchParams.get('config') ?? '', 'base64').toString(),
  ) as unknown
  expect(config).toMatchObject({ command: 'npx', env: { API_KEY: '${env:WEATHER_API_KEY}' } })
})

test('both links have an https address that opens them, for pages that allow no other', () => {
  const webOf = (client: string) => links.find((link) => link.client === client)?.web ?? ''

  expect(new URL(webOf('vscode')).searchParams.get('url')).toBe(textOf('vscode'))
  expect(new URL(webOf('cursor')).search).toBe(new URL(textOf('cursor')).search)
  for (const client of ['vscode', 'cursor']) expect(webOf(client)).toMatch(/^https:[^()\s]*$/)
})

test('commands quote each word for a shell, and name the variable of a secret', () => {
  expect(textOf('claude')).toBe(
    `claude mcp add weather --env "API_KEY=$WEATHER_API_KEY" -- npx -y @ada/weather@1.1.0 --place 'Oslo $HOME (Norway)'`,
  )
  expect(textOf('codex')).toMatch(/^codex mcp add weather --env .* -- npx -y /)
  expect(textOf('gemini')).toMatch(/^gemini mcp add --env .* weather npx -y /)
  expect(textOf('parley')).toBe('parley add io.github.ada/weather@1.1.0')
  expect(textOf('inspector')).toMatch(/^npx @parley\/cli inspect --env .* -- npx -y /)
})

test('a server at an address is added by its URL, with its headers', () => {
  const remote = installLinks({
    name: 'mail',
    server: 'com.example/mail@1.0.0',
    entry: {
      kind: 'url',
      type: 'http',
      url: 'https://example.com/mcp?a=1&b=2',
      headers: { Authorization: 'Bearer ${input:mail-token}' },
    },
    inputs: [],
  })

  expect(remote.find(({ client }) => client === 'claude')?.text).toBe(
    `claude mcp add --transport http mail 'https://example.com/mcp?a=1&b=2' --header "Authorization: Bearer $MAIL_TOKEN"`,
  )
  expect(remote.find(({ client }) => client === 'codex')?.text).toBe(
    `codex mcp add mail --url 'https://example.com/mcp?a=1&b=2'`,
  )
})
