import { join } from 'node:path'

import {
  exportConfig,
  importConfig,
  loadConfig,
  type ConfigFormat,
} from '@parley/foundation/config'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'

const vscode = {
  inputs: [{ type: 'promptString', id: 'key', description: 'Key', password: true }],
  servers: {
    files: {
      type: 'stdio',
      command: 'npx',
      args: ['server', '${workspaceFolder}'],
      env: { API_KEY: 'sk-123456', HOME: '${env:HOME}', ASK: '${input:key}' },
      cwd: '/srv',
      envFile: '.env',
    },
    web: {
      type: 'http',
      url: 'https://example.com/mcp',
      headers: { Authorization: 'Bearer abcdef', 'x-team': 'blue' },
    },
  },
}

async function entriesOf(content: unknown, path = '.vscode/mcp.json') {
  const folder = folderWith({ [path]: content })
  const { entries, problems } = await loadConfig({ files: [join(folder, path)], cwd: folder })
  expect(problems).toEqual([])
  return { entries, folder }
}

test('imports the servers of another host, unknown settings included [CFG-08]', async () => {
  const { entries } = await entriesOf(
    { mcpServers: { one: { command: 'node', protocolEra: 'legacy', custom: 1 } } },
    '.mcp-inspector/mcp.json',
  )

  const { servers, notes } = importConfig(entries)

  expect(servers).toEqual({ one: { command: 'node', era: 'legacy', custom: 1 } })
  expect(notes).toEqual([])
})

test('secrets become variables, unless they are to be kept', async () => {
  const { entries } = await entriesOf(vscode)

  const hidden = exportConfig(entries, 'vscode')
  const kept = exportConfig(entries, 'vscode', { secrets: 'keep' })

  expect(hidden.text).not.toMatch(/sk-123456|abcdef/)
  expect(hidden.servers).toMatchObject({
    files: { env: { API_KEY: '${env:API_KEY}' } },
    web: { headers: { Authorization: 'Bearer ${env:WEB_AUTHORIZATION}', 'x-team': 'blue' } },
  })
  expect(kept.servers).toEqual(vscode.servers)
  expect(kept.inputs).toEqual(vscode.inputs)
})

test('secrets in arguments and settings are not copied either', async () => {
  const { entries } = await entriesOf(
    {
      mcpServers: {
        one: {
          command: 'x',
          args: ['--api-key', 'abc', '--token=def', '--verbose', 'plain', '--key', '${KEPT}'],
          oauth: { clientId: 'id', clientSecret: 'ghi' },
        },
      },
    },
    'mcp.json',
  )

  const { servers, text } = importConfig(entries)

  expect(text).not.toMatch(/abc|def|ghi/)
  expect(servers).toMatchObject({
    one: {
      args: [
        '--api-key',
        '${ONE_API_KEY}',
        '--token=${ONE_TOKEN}',
        '--verbose',
        'plain',
        '--key',
        '${KEPT}',
      ],
      oauth: { clientId: 'id', clientSecret: '${ONE_CLIENTSECRET}' },
    },
  })
})

test('writes variables as the other host has them, and says what it cannot have', async () => {
  const { entries, folder } = await entriesOf(vscode)

  const code = exportConfig(entries, 'claude-code', { secrets: 'keep' })
  const desktop = exportConfig(entries, 'claude-desktop', { secrets: 'keep' })

  expect(code.servers).toMatchObject({
    files: { args: ['server', folder], env: { HOME: '${HOME}', ASK: '${MCP_INPUT_KEY}' } },
    web: { type: 'http' },
  })
  expect(code.notes).toEqual([
    'files: Claude Code does not ask for inputs; set MCP_INPUT_KEY in the environment',
    'files: cwd is left out: Claude Code does not support it',
    'files: envFile is left out: Claude Code does not support it; put its variables into env',
  ])
  expect(desktop.servers).toMatchObject({
    web: {
      command: 'npx',
      args: [
        '-y',
        'mcp-remote',
        'https://example.com/mcp',
        '--header',
        'Authorization:Bearer abcdef',
        '--header',
        'x-team:blue',
      ],
    },
  })
})

const paths = {
  parley: 'mcp.json',
  'claude-desktop': 'claude_desktop_config.json',
  'claude-code': '.mcp.json',
  vscode: '.vscode/mcp.json',
  cursor: '.cursor/mcp.json',
  inspector: '.mcp-inspector/mcp.json',
  codex: '.codex/config.toml',
} as const satisfies Record<ConfigFormat, string>

test.each(Object.entries(paths))(
  'what is written for %s is read again as the same',
  async (name, path) => {
    const format = name as ConfigFormat // a key of the table
    const { entries } = await entriesOf({
      servers: { one: { command: 'node', args: ['a b', '"'], env: { LEVEL: 'debug' } } },
    })

    const { text } = exportConfig(entries, format)
    const { entries: again } = await entriesOf(text, path)

    expect(again.map(({ target }) => target)).toEqual(entries.map(({ target }) => target))
  },
)
